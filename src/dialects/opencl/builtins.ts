/** Names of OpenCL C 3.0 and its extensions that a program may take, or that are reserved by their form alone. */
import { anyOf, constants, doubleConstants } from "../reserved-names.js";

export const builtins = {
  names: new Set([...constants, ...doubleConstants]),
  // Vendors' functions: cl_intel_subgroups and its kind, cl_arm_integer_dot_product, cl_qcom_*, cl_amd_media_ops, cl_img_*.
  form: anyOf(
    "CLK_\\w+",
    "__builtin_\\w+",
    "intel_(?:sub_group|work_group|get|convert|dot|arithmetic|vec)\\w*",
    "(?:qcom|arm|amd|img)_\\w+",
  ),
};

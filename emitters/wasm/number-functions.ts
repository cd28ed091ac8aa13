/** The runtime's functions of numbers that are there as WebAssembly (number-module.ts). Written by test/emitters/number-functions.test.ts from src/sim/scalar-functions.ts; not to be edited. */
/** Names by the types of their operands and result. */
export const numberFunctions: Readonly<Record<string, string>> = {
  "7d7d":
    "f32_sin f16_sin f32_cos f16_cos f32_tan f16_tan f32_asin f16_asin f32_acos f16_acos f32_atan f16_atan f32_sinh f16_sinh f32_cosh f16_cosh f32_tanh f16_tanh f32_asinh f16_asinh f32_acosh f16_acosh f32_atanh f16_atanh f32_sinpi f16_sinpi f32_cospi f16_cospi f32_tanpi f16_tanpi f32_exp f16_exp f32_exp2 f16_exp2 f32_exp10 f16_exp10 f32_expm1 f16_expm1 f32_erf f16_erf f32_erfc f16_erfc f32_tgamma f16_tgamma f32_lgamma f16_lgamma f32_log f16_log f32_log2 f16_log2 f32_log10 f16_log10 f32_log1p f16_log1p f32_rsqrt f16_rsqrt f32_cbrt f16_cbrt f32_sqrt f16_sqrt f32_abs f16_abs f32_floor f16_floor f32_ceil f16_ceil f32_trunc f16_trunc f32_round_even f16_round_even f32_round_away f16_round_away f32_fract f16_fract f32_modf_fraction f16_modf_fraction f32_frexp_fraction f16_frexp_fraction f32_sign f16_sign",
  "7d7f":
    "f32_gamma_sign f16_gamma_sign f32_frexp_exponent f16_frexp_exponent f32_signbit f16_signbit f32_isnan f16_isnan f32_isinf f16_isinf f32_isfinite f16_isfinite f32_isnormal f16_isnormal",
  "7d7d7d":
    "f32_atan2 f16_atan2 f32_hypot f16_hypot f32_pow f16_pow f32_fmod f16_fmod f32_remainder f16_remainder f32_min f16_min f32_max f16_max f32_fmin f16_fmin f32_fmax f16_fmax f32_copysign f16_copysign f32_nextafter f16_nextafter",
  "7d7d7d7d": "f32_fma f16_fma",
  "7d7f7d": "f32_ldexp f16_ldexp",
  "7c7c7f": "f64_remquo_bits",
  "7d7d7f": "f32_remquo_bits f16_remquo_bits",
  "7c7c":
    "f64_asin f64_acos f64_atan f64_tanh f64_atanh f64_rsqrt f64_sqrt f64_abs f64_floor f64_ceil f64_trunc f64_round_even f64_round_away f64_fract f64_modf_fraction f64_frexp_fraction f64_sign f64_log f64_log2 f64_log10 f64_log1p f64_exp f64_exp2 f64_exp10 f64_expm1 f64_sinh f64_cosh f64_asinh f64_acosh f64_cbrt f64_sinpi f64_cospi f64_tanpi f64_erf f64_erfc f64_tgamma f64_lgamma",
  "7c7c7c":
    "f64_atan2 f64_fmod f64_remainder f64_min f64_max f64_fmin f64_fmax f64_copysign f64_nextafter f64_hypot f64_pow",
  "7c7f7c": "f64_ldexp",
  "7c7f": "f64_frexp_exponent f64_signbit f64_isnan f64_isinf f64_isfinite f64_isnormal f64_gamma_sign",
  "7f7f":
    "i8_abs u8_abs i16_abs u16_abs i32_abs u32_abs i8_sign u8_sign i16_sign u16_sign i32_sign u32_sign i8_clz u8_clz i16_clz u16_clz i32_clz u32_clz i8_ctz u8_ctz i16_ctz u16_ctz i32_ctz u32_ctz i8_popcount u8_popcount i16_popcount u16_popcount i32_popcount u32_popcount i8_reverse_bits u8_reverse_bits i16_reverse_bits u16_reverse_bits i32_reverse_bits u32_reverse_bits",
  "7f7f7f":
    "i8_min u8_min i16_min u16_min i32_min u32_min i8_max u8_max i16_max u16_max i32_max u32_max i8_mulhi u8_mulhi i16_mulhi u16_mulhi u8_rotate i8_rotate u16_rotate i16_rotate i32_rotate u32_rotate i8_add_sat u8_add_sat i16_add_sat u16_add_sat i32_add_sat u32_add_sat i8_sub_sat u8_sub_sat i16_sub_sat u16_sub_sat i32_sub_sat u32_sub_sat",
  "7f7f7f7f": "u32_mask_eq u32_mask_ge u32_mask_gt u32_mask_le u32_mask_lt",
  "7f7f7f7f7f7f": "bool_mask_bit u32_mask_count",
};

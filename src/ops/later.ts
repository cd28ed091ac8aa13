/** Builtins that exist in a dialect and are not supported yet: known, so that the message says so instead of "undeclared". */
import type { SourceDialect } from "../dialects/ids.js";

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

export const laterNames: { readonly [D in SourceDialect]?: ReadonlySet<string> } = {
  msl: words(`
    atomic_min_explicit atomic_max_explicit simdgroup_load simdgroup_store simdgroup_multiply simdgroup_multiply_accumulate
        atomic_store atomic_load atomic_exchange atomic_fetch_add atomic_fetch_sub atomic_compare_exchange_weak`),
  glsl: words(`
    atomicLoad atomicStore
    dotEXT
    imageLoad imageStore imageSize texture texelFetch textureLod textureSize debugPrintfEXT shaderClock clockARB`),
  opencl: words(`
    tgamma lgamma lgamma_r remquo
    vec_step
    async_work_group_copy async_work_group_strided_copy wait_group_events prefetch printf
    atomic_init atomic_flag_test_and_set atomic_flag_clear atom_add atom_sub atom_xchg atom_inc atom_dec atom_cmpxchg atom_min atom_max atom_and atom_or atom_xor
    dot_acc_sat bitfield_insert bitfield_extract_signed bitfield_extract_unsigned
    read_imagef read_imagei read_imageui write_imagef write_imagei write_imageui get_image_width get_image_height`),
  hlsl: words(`
    dst lit noise D3DCOLORtoUBYTE4 msad4 dot2add dot4add_u8packed dot4add_i8packed pack_u8 pack_s8 pack_clamp_u8 pack_clamp_s8 unpack_u8u32 unpack_u8u16 unpack_s8s32
    InterlockedCompareExchangeFloatBitwise InterlockedCompareStoreFloatBitwise printf errorf abort clip ddx ddy`),
};

export const isLater = (dialect: SourceDialect, name: string): boolean => laterNames[dialect]?.has(name) ?? false;

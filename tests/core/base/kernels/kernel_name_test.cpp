#include "core/base/kernels/kernel_name.h"

#include <gtest/gtest.h>

namespace ulp {
namespace {

TEST(KernelName, ProductsSayFormatInstructionTileAndLibrary) {
  EXPECT_EQ(shortKernelName("ampere_bf16_s16816gemm_bf16_128x64_ldg8_f2f_stages_64x4_tn"),
            "gemm bf16 s16816 128x64 (cublas)");
  EXPECT_EQ(shortKernelName("ampere_sgemm_128x64_tn"), "gemm f32 128x64 (cublas)");
  EXPECT_EQ(
      shortKernelName("sm90_xmma_gemm_f32f32_tf32f32_f32_tn_n_tilesize64x64x32_warpgroupsize1x1"
                      "x1_execute_segment_k_off_kernel__5x_cublas"),
      "gemm tf32 64x64x32 (cublas)");
  EXPECT_EQ(
      shortKernelName("void cutlass::Kernel2<cutlass_80_wmma_tensorop_bf16_s161616gemm_bf16_16x1"
                      "6_64x2_tn_align8>(cutlass_80_wmma_tensorop_bf16_s161616gemm::Params)"),
      "gemm bf16 s161616 16x16 (cutlass)");
  EXPECT_EQ(shortKernelName("nvjet_sm90_tst_128x64_64x16_2x4_h_bz_bias_TNT"),
            "gemm bf16 128x64 (nvjet)");
  EXPECT_EQ(shortKernelName("void gemv2T_kernel_val<int, int, __half, __half, __half, float>"),
            "gemv f16 (cublas)");
  EXPECT_EQ(
      shortKernelName("void cublasLt::splitKreduce_kernel<32, 16, int, float, __nv_bfloat16>"),
      "split-K reduce (cublas)");
}

TEST(KernelName, AttentionSaysItsDirectionAndWhoseItIs) {
  EXPECT_EQ(
      shortKernelName("void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<64, 128, 128,"
                      " 4, false, false, cutlass::bfloat16_t>>"),
      "attention forward bf16 (flash)");
  EXPECT_EQ(shortKernelName("void pytorch_flash::flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel<"
                            "Flash_bwd_kernel_traits<64, cutlass::half_t>>"),
            "attention backward f16 (flash)");
  EXPECT_EQ(
      shortKernelName("fmha_cutlassF_f32_aligned_64x64_rf_sm80(PyTorchMemEffAttention::AttentionK"
                      "ernel<float, cutlass::arch::Sm80>::Params)"),
      "attention forward f32 (efficient)");
  EXPECT_EQ(shortKernelName("fmha_cutlassB_bf16_aligned_64x64_k64_sm80(Params)"),
            "attention backward bf16 (efficient)");
  EXPECT_EQ(
      shortKernelName("cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_f16_knob_3_64x128"),
      "attention forward f16 (cudnn)");
}

TEST(KernelName, ElementwiseKernelsAndReductionsSayWhatTheyDo) {
  EXPECT_EQ(
      shortKernelName("void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_"
                      "add<c10::BFloat16>, std::array<char*, 3ul> >(int, …)"),
      "elementwise add bf16");
  EXPECT_EQ(
      shortKernelName("void at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel"
                      "_cuda(at::TensorIteratorBase&)::{lambda()#3}, float>"),
      "elementwise copy f32");
  EXPECT_EQ(shortKernelName(
                "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native"
                "::MeanOps<float, float, float, float>, unsigned int, float, 4, 4> >"),
            "reduce mean f32");
  EXPECT_EQ(
      shortKernelName("void (anonymous namespace)::softmax_warp_forward<float, float, float, 8>"),
      "softmax forward f32");
}

TEST(KernelName, OthersKeepTheLastPartOfTheirName) {
  EXPECT_EQ(
      shortKernelName("void at::native::(anonymous namespace)::CatArrayBatchedCopy<at::native::("
                      "anonymous namespace)::OpaqueType<2u>, unsigned int, 4, 64, 64>(…)"),
      "CatArrayBatchedCopy");
  EXPECT_EQ(shortKernelName("my_kernel"), "my_kernel");
  EXPECT_EQ(shortKernelName("cpp_fused_add_half_mean_mul_2 [aten.add, aten.mean; ab/cab.py]"),
            "cpp_fused_add_half_mean_mul_2");
  EXPECT_EQ(shortKernelName("extern_kernels.addmm [aten.view, aten.addmm]"),
            "extern_kernels.addmm");
  EXPECT_EQ(shortKernelName(""), "");
}

}  // namespace
}  // namespace ulp

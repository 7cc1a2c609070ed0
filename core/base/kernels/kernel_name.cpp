#include "core/base/kernels/kernel_name.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <utility>

#include "core/base/text/ascii_lower.h"

namespace ulp {
namespace {

/// What a part of a name stands for.
struct Meaning {
  std::string_view part;
  std::string_view word;
};

/// Longer parts before those that they contain.
constexpr std::array kFormats{
    Meaning{"e4m3", "e4m3"},
    Meaning{"e5m2", "e5m2"},
    Meaning{"tf32", "tf32"},
    Meaning{"bf16", "bf16"},
    Meaning{"bfloat16", "bf16"},
    Meaning{"_tst_", "bf16"},  // of nvjet_sm90_tst_…: operands, sums, result
    Meaning{"_hsh_", "f16"},
    Meaning{"_sss_", "f32"},
    Meaning{"half", "f16"},
    Meaning{"hgemm", "f16"},
    Meaning{"fp16", "f16"},
    Meaning{"f16", "f16"},
    Meaning{"sgemm", "f32"},
    Meaning{"f32", "f32"},
    Meaning{"dgemm", "f64"},
    Meaning{"double", "f64"},
    Meaning{"float", "f32"}};

constexpr std::array kAttention{Meaning{"flash_fwd", ""},
                                Meaning{"flash_bwd", ""},
                                Meaning{"fmha_", ""},
                                Meaning{"_sdpa_", ""},
                                Meaning{"attentionkernel", ""},
                                Meaning{"attentionbackwardkernel", ""}};
constexpr std::array kBackward{Meaning{"bwd", "backward"},
                               Meaning{"backward", "backward"},
                               Meaning{"bprop", "backward"},
                               Meaning{"fmha_cutlassb", "backward"},
                               Meaning{"", "forward"}};
constexpr std::array kAttentionLibraries{Meaning{"cudnn", "cudnn"},
                                         Meaning{"fmha_cutlass", "efficient"},
                                         Meaning{"attentionkernel", "efficient"},
                                         Meaning{"attentionbackwardkernel", "efficient"},
                                         Meaning{"", "flash"}};
constexpr std::array kProducts{
    Meaning{"gemv", "gemv"}, Meaning{"gemm", "gemm"}, Meaning{"nvjet", "gemm"}};
constexpr std::array kProductLibraries{
    Meaning{"nvjet", "nvjet"}, Meaning{"cutlass", "cutlass"}, Meaning{"", "cublas"}};
/// What the functors of PyTorch's elementwise kernels and reductions do.
constexpr std::array kOperations{Meaning{"copy_kernel", "copy"},
                                 Meaning{"fillfunctor", "fill"},
                                 Meaning{"functor_add", "add"},
                                 Meaning{"onself_add", "add"},
                                 Meaning{"addfunctor", "add"},
                                 Meaning{"mulfunctor", "mul"},
                                 Meaning{"divfunctor", "div"},
                                 Meaning{"meanops", "mean"},
                                 Meaning{"sumops", "sum"},
                                 Meaning{"sum_functor", "sum"},
                                 Meaning{"maxops", "max"},
                                 Meaning{"normtwoops", "norm"},
                                 Meaning{"absmax", "max"},
                                 Meaning{"rsqrt", "rsqrt"},
                                 Meaning{"sqrt", "sqrt"},
                                 Meaning{"pow_", "pow"},
                                 Meaning{"silu_backward", "silu backward"},
                                 Meaning{"silu", "silu"},
                                 Meaning{"gelubackward", "gelu backward"},
                                 Meaning{"gelu", "gelu"},
                                 Meaning{"sigmoid", "sigmoid"},
                                 Meaning{"neg_", "neg"},
                                 Meaning{"cos_kernel", "cos"},
                                 Meaning{"sin_kernel", "sin"},
                                 Meaning{"where_kernel", "where"}};

/// That of the first part that the name holds; empty: it holds none.
std::string_view meaningIn(std::string_view lower, std::span<const Meaning> table) {
  const auto found = std::ranges::find_if(table, [&](const Meaning& meaning) {
    return lower.find(meaning.part) != std::string_view::npos;
  });
  return found == table.end() ? std::string_view() : found->word;
}

bool isDigit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// The first size of the form "128x64" or "64x64x64".
std::string_view tileIn(std::string_view lower) {
  for (std::size_t x = lower.find('x'); x != std::string_view::npos; x = lower.find('x', x + 1)) {
    std::size_t begin = x;
    while (begin > 0 && isDigit(lower[begin - 1])) {
      --begin;
    }
    std::size_t end = x;
    while (end + 1 < lower.size() &&
           (isDigit(lower[end + 1]) || (lower[end + 1] == 'x' && isDigit(lower[end])))) {
      ++end;
    }
    if (begin < x && end > x) {
      return lower.substr(begin, end - begin + 1);
    }
  }
  return {};
}

/// The tensor core instruction of names such as "ampere_bf16_s16816gemm_…": "s16816".
std::string_view instructionIn(std::string_view lower) {
  const std::size_t end = lower.find("gemm");
  if (end == std::string_view::npos) {
    return {};
  }
  std::size_t begin = end;
  while (begin > 0 && isDigit(lower[begin - 1])) {
    --begin;
  }
  const bool isOne =
      begin < end && begin > 0 && std::isalpha(static_cast<unsigned char>(lower[begin - 1])) != 0;
  return isOne ? lower.substr(begin - 1, end - begin + 1) : std::string_view();
}

std::string joined(const std::vector<std::string_view>& words) {
  std::string all;
  for (const std::string_view word : words) {
    if (!word.empty()) {
      all += (all.empty() ? "" : " ") + std::string(word);
    }
  }
  return all;
}

std::string library(std::string_view name) {
  return " (" + std::string(name) + ")";
}

/// Without what is in front of and behind the last part of the function's own name:
/// "void at::native::(anonymous namespace)::f<int>(int)" is "f".
std::string_view functionName(std::string_view full) {
  constexpr std::string_view kUnnamed = "(anonymous namespace)";
  std::size_t begin = full.starts_with("void ") ? 5 : 0;
  std::size_t end = begin;
  while (end < full.size()) {
    if (full.substr(end).starts_with(kUnnamed)) {
      end += kUnnamed.size();
    } else if (full[end] == '<' || full[end] == '(') {
      break;
    } else if (full.substr(end).starts_with("::")) {
      end += 2;
      begin = end;
    } else {
      ++end;
    }
  }
  return full.substr(begin, end - begin);
}

}  // namespace

std::string shortKernelName(std::string_view full) {
  // What a program of torch.compile calls and, behind it, what that was made of.
  const auto isCalled = [full](std::string_view begin) { return full.starts_with(begin); };
  constexpr std::array<std::string_view, 3> kCalled{"cpp_fused_", "triton_", "extern_kernels."};
  if (std::ranges::any_of(kCalled, isCalled)) {
    return std::string(full.substr(0, full.find(' ')));
  }
  const std::string lowered = asciiLower(full);
  const std::string_view lower = lowered;
  const std::string_view format = meaningIn(lower, kFormats);
  const auto holds = [&](std::string_view part) {
    return lower.find(part) != std::string_view::npos;
  };
  if (holds("splitkreduce")) {
    return "split-K reduce" + library("cublas");
  }
  const bool isAttention = std::ranges::any_of(kAttention, holds, &Meaning::part);
  if (isAttention) {
    return joined({"attention", meaningIn(lower, kBackward), format}) +
           library(meaningIn(lower, kAttentionLibraries));
  }
  if (const std::string_view product = meaningIn(lower, kProducts); !product.empty()) {
    return joined({product, format, instructionIn(lower), tileIn(lower)}) +
           library(meaningIn(lower, kProductLibraries));
  }
  if (holds("softmax")) {
    return joined({"softmax", meaningIn(lower, kBackward), format});
  }
  if (holds("elementwise")) {
    return joined({"elementwise", meaningIn(lower, kOperations), format});
  }
  if (holds("reduce_kernel")) {
    return joined({"reduce", meaningIn(lower, kOperations), format});
  }
  return joined({functionName(full), format});
}

std::vector<std::string> shortKernelNames(const std::vector<std::string_view>& kernels) {
  std::vector<std::string> names;
  for (const std::string_view kernel : kernels) {
    std::string name = shortKernelName(kernel);
    if (std::ranges::find(names, name) == names.end()) {
      names.push_back(std::move(name));
    }
  }
  return names;
}

}  // namespace ulp

#include "core/comparing/origin/nondeterministic_operations.h"

#include <algorithm>
#include <array>

#include "core/comparing/match/row_identity.h"
#include "core/comparing/origin/word_list.h"

namespace ulp::analysis {
namespace {

/// In which pass the results differ.
enum class Where : std::uint8_t { Anywhere, Forward, Backward };
/// How the words are looked for in the plain name.
enum class Match : std::uint8_t { Whole, Part };

struct Known {
  std::string_view words;  ///< separated by blanks, plain
  NondeterministicOperation operation;
  Where where = Where::Anywhere;
  Match match = Match::Whole;
};

constexpr std::string_view kDeterministic = "torch.use_deterministic_algorithms(True)";
constexpr std::string_view kNoKernel =
    "there is no deterministic kernel on CUDA: torch.use_deterministic_algorithms(True) refuses "
    "it; compute it on the CPU or in another way";
constexpr std::string_view kCudnn =
    "torch.backends.cudnn.deterministic = True and torch.backends.cudnn.benchmark = False";

/// The first that fits counts.
constexpr std::array kKnown{
    Known{"allreduce reducescatter allreducecoalesced",
          {"all_reduce, reduce_scatter",
           "adds what the ranks send in an order that the algorithm (ring, tree), the number of "
           "channels and the network decide",
           "NCCL_ALGO=Ring and NCCL_PROTO=Simple on the same ranks and nodes "
           "(HCCL_DETERMINISTIC=true on Ascend)"},
          Where::Anywhere,
          Match::Part},
    Known{"scatteradd scatter scatterreduce segmentreduce",
          {"scatter, scatter_add, scatter_reduce",
           "adds, or overwrites, with atomics on CUDA, in any order",
           kDeterministic}},
    Known{"indexadd indexcopy indexput setitem",
          {"index_add, index_copy, index_put, x[i] = y",
           "writes to repeated indices in any order",
           kDeterministic}},
    Known{"put", {"put_", "writes to repeated indices in any order", kNoKernel}},
    Known{"getitem index indexselect gather takealongdim repeatinterleave",
          {"gather, index_select, x[i], repeat_interleave, backward",
           "adds the gradients of repeated indices with atomics",
           kDeterministic},
          Where::Backward},
    Known{"embedding embeddingbag",
          {"embedding, backward",
           "adds the gradients of equal tokens in any order on CUDA",
           kDeterministic},
          Where::Backward,
          Match::Part},
    Known{"attention flashatt sdpa",
          {"fused attention, backward",
           "adds the gradients of query blocks with atomics (flash and memory-efficient kernels)",
           "torch.use_deterministic_algorithms(True); flash_attn_func(…, deterministic=True); "
           "or torch.nn.attention.sdpa_kernel(SDPBackend.MATH)"},
          Where::Backward,
          Match::Part},
    Known{"cumsum",
          {"cumsum",
           "adds blocks of floating-point numbers in any order on CUDA",
           "torch.use_deterministic_algorithms(True), which refuses it where there is no "
           "deterministic kernel; compute it on the CPU or in integers"}},
    Known{
        "bincount histc kthvalue median",
        {"bincount, histc, kthvalue, median", "counts or chooses with atomics on CUDA", kNoKernel}},
    Known{"nllloss nllloss2d ctcloss",
          {"nll_loss, ctc_loss", "adds with atomics on CUDA", kNoKernel}},
    Known{"interpolate upsample gridsample gridsampler",
          {"interpolate, grid_sample, backward",
           "adds the gradients of neighbouring points with atomics on CUDA",
           kNoKernel},
          Where::Backward},
    Known{"maxpool2d maxpool3d adaptivemaxpool2d adaptivemaxpool3d fractionalmaxpool2d "
          "fractionalmaxpool3d avgpool3d adaptiveavgpool2d adaptiveavgpool3d",
          {"pooling, backward",
           "adds the gradients of windows that overlap with atomics on CUDA",
           kNoKernel},
          Where::Backward},
    Known{"maxunpool",
          {"max_unpool", "writes to repeated indices in any order", kNoKernel},
          Where::Anywhere,
          Match::Part},
    Known{"pad reflectionpad1d reflectionpad2d reflectionpad3d replicationpad1d replicationpad2d "
          "replicationpad3d",
          {"reflection and replication padding, backward",
           "adds the gradients of repeated elements with atomics on CUDA",
           kDeterministic},
          Where::Backward},
    Known{"conv1d conv2d conv3d convtranspose",
          {"convolution", "is computed by the algorithm that cuDNN finds fastest", kCudnn},
          Where::Anywhere,
          Match::Part},
    Known{"dropout dropout1d dropout2d dropout3d featuredropout alphadropout rand randlike randn "
          "randnlike randint randintlike randperm normal uniform bernoulli multinomial exponential "
          "geometric lognormal rrelu",
          {"random numbers",
           "depends on the state of the generator",
           "torch.manual_seed(…) before the step, and the same order of draws"}},
    Known{"empty emptylike newempty emptystrided newemptystrided emptypermuted resize",
          {"memory that nobody wrote",
           "holds whatever was there",
           "torch.use_deterministic_algorithms(True), which fills it "
           "(torch.utils.deterministic.fill_uninitialized_memory)"}},
    Known{"sort argsort topk",
          {"sort, topk",
           "puts equal elements in any order unless it is stable",
           "torch.sort(…, stable=True)"},
          Where::Forward},
    Known{"linear matmul einsum addmm addmv baddbmm bmm",
          {"matrix products",
           "may split a sum in another way where cuBLAS shares its workspace among streams",
           "CUBLAS_WORKSPACE_CONFIG=:4096:8 in the environment"},
          Where::Anywhere,
          Match::Part},
    Known{"mm mv dot",
          {"matrix products",
           "may split a sum in another way where cuBLAS shares its workspace among streams",
           "CUBLAS_WORKSPACE_CONFIG=:4096:8 in the environment"}},
};

bool isIn(Where where, Pass pass) {
  const bool isForward = pass == Pass::Forward;
  return where == Where::Anywhere || (where == Where::Forward) == isForward;
}

bool fits(const Known& known, std::string_view plain) {
  return known.match == Match::Whole ? isWordOf(plain, known.words) : hasWordOf(plain, known.words);
}

}  // namespace

const NondeterministicOperation* nondeterministic(std::string_view operation, Pass pass) {
  const std::string plain = plainOperation(operation);
  // Tables of angles, no tables of tokens.
  if (plain.find("rotary") != std::string::npos) {
    return nullptr;
  }
  const auto* found = std::ranges::find_if(
      kKnown, [&](const Known& known) { return isIn(known.where, pass) && fits(known, plain); });
  return found == kKnown.end() ? nullptr : &found->operation;
}

}  // namespace ulp::analysis

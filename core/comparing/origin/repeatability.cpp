#include "core/comparing/origin/repeatability.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <ranges>
#include <utility>

#include "core/base/list_of.h"
#include "core/base/text/sentence.h"
#include "core/comparing/match/row_identity.h"
#include "core/dumps/model/dump.h"

namespace ulp::analysis {
namespace {

using dumps::DumpEntry;
using dumps::DumpRow;

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

constexpr std::string_view kDeterministic = ULP_TR_NOOP("torch.use_deterministic_algorithms(True)");
constexpr std::string_view kNoKernel = ULP_TR_NOOP(
    "there is no deterministic kernel on CUDA: torch.use_deterministic_algorithms(True) refuses "
    "it; compute it on the CPU or in another way");
constexpr std::string_view kCudnn = ULP_TR_NOOP(
    "torch.backends.cudnn.deterministic = True and torch.backends.cudnn.benchmark = False");

/// The first that fits counts.
constexpr std::array kKnown{
    Known{
        "allreduce reducescatter allreducecoalesced",
        {ULP_TR_NOOP("all_reduce, reduce_scatter"),
         ULP_TR_NOOP(
             "adds what the ranks send in an order that the algorithm (ring, tree), the number of "
             "channels and the network decide"),
         ULP_TR_NOOP("NCCL_ALGO=Ring and NCCL_PROTO=Simple on the same ranks and nodes "
                     "(HCCL_DETERMINISTIC=true on Ascend)")},
        Where::Anywhere,
        Match::Part},
    Known{"scatteradd scatter scatterreduce segmentreduce",
          {ULP_TR_NOOP("scatter, scatter_add, scatter_reduce"),
           ULP_TR_NOOP("adds, or overwrites, with atomics on CUDA, in any order"),
           kDeterministic}},
    Known{"indexadd indexcopy indexput setitem",
          {ULP_TR_NOOP("index_add, index_copy, index_put, x[i] = y"),
           ULP_TR_NOOP("writes to repeated indices in any order"),
           kDeterministic}},
    Known{"put",
          {ULP_TR_NOOP("put_"), ULP_TR_NOOP("writes to repeated indices in any order"), kNoKernel}},
    Known{"getitem index indexselect gather takealongdim repeatinterleave",
          {ULP_TR_NOOP("gather, index_select, x[i], repeat_interleave, backward"),
           ULP_TR_NOOP("adds the gradients of repeated indices with atomics"),
           kDeterministic},
          Where::Backward},
    Known{"embedding embeddingbag",
          {ULP_TR_NOOP("embedding, backward"),
           ULP_TR_NOOP("adds the gradients of equal tokens in any order on CUDA"),
           kDeterministic},
          Where::Backward,
          Match::Part},
    Known{"attention flashatt sdpa",
          {ULP_TR_NOOP("fused attention, backward"),
           ULP_TR_NOOP("adds the gradients of query blocks with atomics (flash and "
                       "memory-efficient kernels)"),
           ULP_TR_NOOP(
               "torch.use_deterministic_algorithms(True); flash_attn_func(…, deterministic=True); "
               "or torch.nn.attention.sdpa_kernel(SDPBackend.MATH)")},
          Where::Backward,
          Match::Part},
    Known{
        "cumsum",
        {ULP_TR_NOOP("cumsum"),
         ULP_TR_NOOP("adds blocks of floating-point numbers in any order on CUDA"),
         ULP_TR_NOOP("torch.use_deterministic_algorithms(True), which refuses it where there is no "
                     "deterministic kernel; compute it on the CPU or in integers")}},
    Known{"bincount histc kthvalue median",
          {ULP_TR_NOOP("bincount, histc, kthvalue, median"),
           ULP_TR_NOOP("counts or chooses with atomics on CUDA"),
           kNoKernel}},
    Known{"nllloss nllloss2d ctcloss",
          {ULP_TR_NOOP("nll_loss, ctc_loss"), ULP_TR_NOOP("adds with atomics on CUDA"), kNoKernel}},
    Known{"interpolate upsample gridsample gridsampler",
          {ULP_TR_NOOP("interpolate, grid_sample, backward"),
           ULP_TR_NOOP("adds the gradients of neighbouring points with atomics on CUDA"),
           kNoKernel},
          Where::Backward},
    Known{"maxpool2d maxpool3d adaptivemaxpool2d adaptivemaxpool3d fractionalmaxpool2d "
          "fractionalmaxpool3d avgpool3d adaptiveavgpool2d adaptiveavgpool3d",
          {ULP_TR_NOOP("pooling, backward"),
           ULP_TR_NOOP("adds the gradients of windows that overlap with atomics on CUDA"),
           kNoKernel},
          Where::Backward},
    Known{"maxunpool",
          {ULP_TR_NOOP("max_unpool"),
           ULP_TR_NOOP("writes to repeated indices in any order"),
           kNoKernel},
          Where::Anywhere,
          Match::Part},
    Known{"pad reflectionpad1d reflectionpad2d reflectionpad3d replicationpad1d replicationpad2d "
          "replicationpad3d",
          {ULP_TR_NOOP("reflection and replication padding, backward"),
           ULP_TR_NOOP("adds the gradients of repeated elements with atomics on CUDA"),
           kDeterministic},
          Where::Backward},
    Known{"conv1d conv2d conv3d convtranspose",
          {ULP_TR_NOOP("convolution"),
           ULP_TR_NOOP("is computed by the algorithm that cuDNN finds fastest"),
           kCudnn},
          Where::Anywhere,
          Match::Part},
    Known{"dropout dropout1d dropout2d dropout3d featuredropout alphadropout rand randlike randn "
          "randnlike randint randintlike randperm normal uniform bernoulli multinomial exponential "
          "geometric lognormal rrelu",
          {ULP_TR_NOOP("random numbers"),
           ULP_TR_NOOP("depends on the state of the generator"),
           ULP_TR_NOOP("torch.manual_seed(…) before the step, and the same order of draws")}},
    Known{"empty emptylike newempty emptystrided newemptystrided emptypermuted resize",
          {ULP_TR_NOOP("memory that nobody wrote"),
           ULP_TR_NOOP("holds whatever was there"),
           ULP_TR_NOOP("torch.use_deterministic_algorithms(True), which fills it "
                       "(torch.utils.deterministic.fill_uninitialized_memory)")}},
    Known{"sort argsort topk",
          {ULP_TR_NOOP("sort, topk"),
           ULP_TR_NOOP("puts equal elements in any order unless it is stable"),
           ULP_TR_NOOP("torch.sort(…, stable=True)")},
          Where::Forward},
    Known{"linear matmul einsum addmm addmv baddbmm bmm",
          {ULP_TR_NOOP("matrix products"),
           ULP_TR_NOOP(
               "may split a sum in another way where cuBLAS shares its workspace among streams"),
           ULP_TR_NOOP("CUBLAS_WORKSPACE_CONFIG=:4096:8 in the environment")},
          Where::Anywhere,
          Match::Part},
    Known{"mm mv dot",
          {ULP_TR_NOOP("matrix products"),
           ULP_TR_NOOP(
               "may split a sum in another way where cuBLAS shares its workspace among streams"),
           ULP_TR_NOOP("CUBLAS_WORKSPACE_CONFIG=:4096:8 in the environment")}},
};

bool isIn(Where where, Pass pass) {
  const bool isForward = pass == Pass::Forward;
  return where == Where::Anywhere || (where == Where::Forward) == isForward;
}

bool fits(const Known& known, std::string_view plain) {
  return known.match == Match::Whole ? isWordOf(plain, known.words) : hasWordOf(plain, known.words);
}

/// Something else than a difference of formats.
bool differs(const PairedCalls& pairs, std::size_t row) {
  const RowDifference& difference = pairs.difference(row);
  if (difference.basis == Basis::Values) {
    const auto left = argumentNumber(pairs.row(row));
    const auto right = argumentNumber(pairs.candidateRow(row));
    return left && right && *left != *right && !(std::isnan(*left) && std::isnan(*right));
  }
  return difference.basis >= Basis::Checksums && !difference.isEqual;
}

class RepeatJudge {
 public:
  RepeatJudge(const PairedCalls& pairs, const GradientError& before)
      : m_pairs(pairs), m_units(pairs.units()), m_order(pairs.order()), m_before(before) {}

  [[nodiscard]] Repeatability run() && {
    Repeatability result;
    const auto place = firstPlace();
    if (!place) {
      return result;
    }
    result.first = describe(*place);
    result.isRepeat = looksRepeated(result.first->equalBefore);
    if (result.isRepeat && result.first->kind != CulpritKind::Source && !result.first->isMoved) {
      result.suspects = suspectsUpTo(place->first);
    }
    return result;
  }

 private:
  /// Position in m_order, and the row that differs.
  using Place = std::pair<std::size_t, std::size_t>;

  /// What a call read comes before what it made.
  [[nodiscard]] std::optional<std::size_t> differingRow(std::size_t pair) const {
    for (const bool isRead : {true, false}) {
      for (const std::size_t row : m_pairs.rows(pair)) {
        if (m_pairs.isRead(row) == isRead && !m_pairs.isLeft(row) && differs(m_pairs, row)) {
          return row;
        }
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<Place> firstPlace() const {
    for (std::size_t i = 0; i < m_order.size(); ++i) {
      if (const auto row = differingRow(m_order[i])) {
        return innermost({i, *row});
      }
    }
    return std::nullopt;
  }

  /// Some tools list a module before the calls inside it, which made what it puts out.
  [[nodiscard]] Place innermost(Place place) const {
    for (std::size_t i = place.first + 1; i < m_order.size(); ++i) {
      const std::size_t outer = m_pairs.entryIndex(m_order[place.first]);
      const auto row = isInside(m_order[i], outer) ? differingRow(m_order[i]) : std::nullopt;
      if (row && !m_pairs.isRead(place.second)) {
        place = {i, *row};
      }
    }
    return place;
  }

  [[nodiscard]] bool isInside(std::size_t pair, std::size_t outer) const {
    return dumps::anyEnclosing(*m_units.baseline,
                               m_pairs.entryIndex(pair),
                               [outer](std::size_t call) { return call == outer; });
  }

  [[nodiscard]] FirstDifference describe(const Place& place) const {
    const std::size_t pair = m_order[place.first];
    FirstDifference first{.entry = m_pairs.entryIndex(pair),
                          .name = m_pairs.entry(pair).name,
                          .rowName = m_pairs.row(place.second).name,
                          .site = siteOfPair(m_units, place.second),
                          .error = m_pairs.difference(place.second).error};
    for (std::size_t i = 0; i <= place.first; ++i) {
      for (const std::size_t row : m_pairs.rows(m_order[i])) {
        const bool isTensor = m_pairs.difference(row).basis >= Basis::Checksums;
        first.equalBefore += isTensor && m_pairs.difference(row).isEqual ? 1 : 0;
      }
    }
    first.isMoved =
        m_before.isAny() && (isParameter(m_pairs.entry(pair), m_pairs.row(place.second)) ||
                             (m_pairs.hidesParameters(pair) && !m_pairs.isRead(place.second)));
    first.kind = first.isMoved ? CulpritKind::Gap : kindOf(place);
    return first;
  }

  [[nodiscard]] CulpritKind kindOf(const Place& place) const {
    const DumpEntry& entry = m_pairs.entry(m_order[place.first]);
    const DumpRow& row = m_pairs.row(place.second);
    if (!dumps::isRead(row.role)) {
      return CulpritKind::Operation;
    }
    if (isParameter(entry, row) || m_pairs.difference(place.second).basis == Basis::Values) {
      return CulpritKind::Source;
    }
    return isMadeBefore(place) || entry.pass != Pass::Forward ? CulpritKind::Gap
                                                              : CulpritKind::Source;
  }

  /// Something before put out what the call reads; where nothing tells who did, anything may have.
  [[nodiscard]] bool isMadeBefore(const Place& place) const {
    const std::string fingerprint = fingerprintOf(m_pairs.row(place.second));
    for (std::size_t i = 0; i < place.first; ++i) {
      for (const std::size_t row : m_pairs.rows(m_order[i])) {
        const bool isMade = !m_pairs.isRead(row);
        if (isMade && (fingerprint.empty() || fingerprintOf(m_pairs.row(row)) == fingerprint)) {
          return true;
        }
      }
    }
    return false;
  }

  [[nodiscard]] bool looksRepeated(std::size_t equalBefore) const {
    const UnitMatching& matching = m_units.matching;
    const bool isSameProgram =
        matching.onlyBaselineEntries.empty() && matching.onlyCandidateEntries.empty() &&
        matching.onlyBaselineRows.empty() && matching.onlyCandidateRows.empty();
    return equalBefore > 0 && isSameProgram &&
           std::ranges::none_of(m_units.rows, [](const RowDifference& row) {
             return row.isShapeDifferent || row.isDTypeDifferent;
           });
  }

  [[nodiscard]] std::vector<Suspect> suspectsUpTo(std::size_t last) const {
    std::map<std::string_view, Suspect> byTitle;
    for (std::size_t i = 0; i <= last; ++i) {
      const std::size_t pair = m_order[i];
      const auto* known = nondeterministic(m_pairs.entry(pair).operation, m_pairs.entry(pair).pass);
      if (known == nullptr) {
        continue;
      }
      const bool isCleared = i < last && isClear(pair);
      const auto [place, isNew] = byTitle.try_emplace(known->title,
                                                      Suspect{.name = {},
                                                              .title = std::string(known->title),
                                                              .when = std::string(known->when),
                                                              .remedy = std::string(known->remedy),
                                                              .isCleared = true});
      Suspect& suspect = place->second;
      suspect.calls += 1;
      // A call that is cleared is no reason to look away from an earlier one that is not.
      if (isNew || !isCleared || suspect.isCleared) {
        suspect.name = m_pairs.entry(pair).name;
        suspect.distance = last - i;
      }
      suspect.isCleared = suspect.isCleared && isCleared;
    }
    std::vector<Suspect> suspects =
        listOf(byTitle | std::views::values, [](Suspect& suspect) { return std::move(suspect); });
    std::ranges::stable_sort(suspects, {}, [](const Suspect& suspect) {
      return std::pair(suspect.isCleared, suspect.distance);
    });
    return suspects;
  }

  /// Everything that the call put out was compared. What differs comes later, so it is equal.
  [[nodiscard]] bool isClear(std::size_t pair) const {
    bool hasMade = false;
    for (const std::size_t row : m_pairs.rows(pair)) {
      if (!m_pairs.isRead(row)) {
        const RowDifference& difference = m_pairs.difference(row);
        const bool isNothing = difference.basis == Basis::Nothing && difference.isEqual;
        if (!isNothing && (difference.basis < Basis::Checksums || !difference.isEqual)) {
          return false;
        }
        hasMade = hasMade || !isNothing;
      }
    }
    return hasMade;
  }

  const PairedCalls& m_pairs;
  const UnitComparison& m_units;
  const std::vector<std::size_t>& m_order;  ///< pairs of entries as they ran
  const GradientError& m_before;            ///< of steps before
};

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

Repeatability judgeRepeatability(const PairedCalls& pairs, const GradientError& before) {
  return RepeatJudge(pairs, before).run();
}

}  // namespace ulp::analysis

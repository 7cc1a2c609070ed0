#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/comparing/align/edited_sides.h"
#include "core/comparing/match/row_lookup.h"

namespace ulp::analysis {
namespace {

using dumps::DumpEntry;
using dumps::DumpRow;
using dumps::DumpUnit;
using dumps::DumpUnitPtr;
using dumps::Role;

/// What no number of micro-batches or ranks amounts to.
constexpr double kLeastUnproved = 4096;
constexpr double kNear = 0.1;

bool isNear(double value, double other) {
  return std::abs(value / other - 1) < kNear;
}

bool isOfCall(const DumpEntry& entry, const DumpRow& row) {
  return entry.pass == Pass::Backward &&
         (row.role == Role::OutputGradient || row.role == Role::InputGradient);
}

bool isOfParameter(const DumpEntry& /*entry*/, const DumpRow& row) {
  return row.role == Role::ParameterGradient;
}

/// The norm where it tells a factor; 0: it does not.
double norm(const DumpRow& row) {
  const double norm = row.statistics.norm.value_or(0);
  return std::isfinite(norm) ? norm : 0;
}

/// The number in the middle; the upper one of two. There is at least one.
double median(std::vector<double>& numbers) {
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::ranges::nth_element(numbers, middle);
  return *middle;
}

/// The factor of most ratios; nothing: there is none.
std::optional<double> commonFactor(std::vector<double> ratios) {
  if (ratios.empty()) {
    return std::nullopt;
  }
  const double factor = median(ratios);
  const auto near =
      std::ranges::count_if(ratios, [factor](double ratio) { return isNear(ratio, factor); });
  return 2 * near > std::ssize(ratios) ? std::optional(factor) : std::nullopt;
}

/// The power of two near `factor`, but for 1; nothing: there is none.
std::optional<double> powerOfTwo(double factor) {
  const double power = std::exp2(std::round(std::log2(factor)));
  return power != 1 && isNear(factor, power) ? std::optional(power) : std::nullopt;
}

Result<std::vector<double>> normsOfCalls(const DumpUnit& unit) {
  std::vector<double> norms;
  ULP_TRY(eachRow(unit, [&](std::size_t entry, std::size_t row) {
    if (isOfCall(unit.entries[entry], unit.rows[row]) && norm(unit.rows[row]) > 0) {
      norms.push_back(norm(unit.rows[row]));
    }
  }));
  return norms;
}

/// Cheap, and enough for nearly every pair of units: keys of all entries are not.
Result<bool> mayBeScaled(const DumpUnit& baseline, const DumpUnit& candidate) {
  auto left = ULP_TRY(normsOfCalls(baseline));
  auto right = ULP_TRY(normsOfCalls(candidate));
  if (left.empty() || right.empty()) {
    return false;
  }
  const double ratio = median(right) / median(left);
  return std::max(ratio, 1 / ratio) > 1.5;
}

class LossScaler {
 public:
  explicit LossScaler(UnitSides& units)
      : m_units(units), m_baseline(*units.baseline), m_candidate(*units.candidate) {}

  Result<> run(const SiteMapping& mapping) {
    const PairedKeys keys = pairedKeys(m_baseline, m_candidate, mapping);
    ULP_TRY(keys.check());
    const auto ofCalls = commonFactor(ratiosOf(keys, isOfCall));
    const auto factor = ofCalls ? powerOfTwo(*ofCalls) : std::nullopt;
    if (!factor || !hasFloat16(*factor > 1 ? m_candidate : m_baseline)) {
      return {};
    }
    const auto ofParameters = commonFactor(ratiosOf(keys, isOfParameter));
    const bool isUndone = ofParameters && isNear(*ofParameters, 1);
    const bool isIn = ofParameters && isNear(*ofParameters, *factor);
    const double large = std::max(*factor, 1 / *factor);
    if (isUndone || ((isIn || !ofParameters) && large >= kLeastUnproved)) {
      ULP_TRY(multiply(*factor > 1, large, isIn));
    }
    return {};
  }

 private:
  /// Norms of the candidate by those of the baseline, of tensors in the same place.
  template <class IsMeant>
  [[nodiscard]] std::vector<double> ratiosOf(const PairedKeys& keys, const IsMeant& isMeant) const {
    std::vector<double> ratios;
    RowLookup lookup(m_candidate);
    for (std::size_t i = 0; i < m_baseline.entries.size(); ++i) {
      const DumpEntry& entry = m_baseline.entries[i];
      const std::size_t partner =
          isOfGradients(entry) ? keys.candidate.find(keys.baseline.all()[i].text()) : dumps::kNone;
      if (partner == dumps::kNone) {
        continue;
      }
      lookup.lookAt(m_candidate.entries[partner]);
      for (const std::size_t row : entry.rows()) {
        const DumpRow& own = m_baseline.rows[row];
        const std::size_t other = isMeant(entry, own) ? lookup.find(own) : dumps::kNone;
        if (other != dumps::kNone && norm(own) > 0 && norm(m_candidate.rows[other]) > 0) {
          ratios.push_back(norm(m_candidate.rows[other]) / norm(own));
        }
      }
    }
    return ratios;
  }

  [[nodiscard]] static bool isOfGradients(const DumpEntry& entry) {
    return entry.pass == Pass::Backward || entry.pass == Pass::ParameterGradient;
  }

  [[nodiscard]] static bool hasFloat16(const DumpUnit& unit) {
    return std::ranges::any_of(
        unit.rows, [](const DumpRow& row) { return elementTypeOf(row) == DType::Float16; });
  }

  /// The smaller side: numbers divided by the factor would be lost in float16.
  Result<> multiply(bool isBaseline, double factor, bool isOfParametersToo) {
    DumpUnitPtr& unit = isBaseline ? m_units.baseline : m_units.candidate;
    dumps::UnitEdit edit(unit);
    ULP_TRY(eachRow(*unit, [&](std::size_t entry, std::size_t index) {
      const DumpRow& row = unit->rows[index];
      if (isOfCall(unit->entries[entry], row) ||
          (isOfParametersToo && isOfParameter(unit->entries[entry], row))) {
        MadeRow made = rowAsItIs(unit, index);
        multiplyStatistics(made.first.statistics, factor);
        made.first.checksum.clear();
        edit.replace(
            index, std::move(made.first), dumps::sumOf({std::move(made.second)}, 1 / factor));
      }
    }));
    edit.note(textOf(isBaseline, static_cast<std::int64_t>(factor)));
    unit = std::move(edit).build();
    return {};
  }

  static void multiplyStatistics(dumps::Statistics& statistics, double factor) {
    for (auto* number : {&statistics.max, &statistics.min, &statistics.mean, &statistics.norm}) {
      *number = *number ? std::optional(**number * factor) : std::nullopt;
    }
  }

  [[nodiscard]] static Sentence textOf(bool isBaseline, std::int64_t factor) {
    return {isBaseline
                ? ULP_TR_NOOP("gradients of the candidate are those of a loss times %1: the "
                              "baseline's are compared times %1; 'loss_scale' of the mapping can "
                              "say otherwise")
                : ULP_TR_NOOP("gradients of the baseline are those of a loss times %1: the "
                              "candidate's are compared times %1; 'loss_scale' of the mapping can "
                              "say otherwise"),
            {std::to_string(factor)}};
  }

  UnitSides& m_units;
  const DumpUnit& m_baseline;
  const DumpUnit& m_candidate;
};

}  // namespace

Result<> matchLossScale(UnitSides& units, const AlignmentRules& rules) {
  const bool mayBe = rules.mapping.dumps().findsLossScale &&
                     ULP_TRY(mayBeScaled(*units.baseline, *units.candidate));
  return mayBe ? LossScaler(units).run(rules.mapping) : Result<>();
}

}  // namespace ulp::analysis

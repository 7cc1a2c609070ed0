#include "core/comparing/origin/overflow_reason.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>

#include "core/base/text/format_number.h"
#include "core/comparing/match/row_identity.h"

namespace ulp::analysis {
namespace {

using dumps::DumpEntry;
using dumps::DumpUnit;

/// What an operation cannot take, and what it makes of it.
struct Domain {
  std::string_view operation;  ///< plain
  std::string_view argument;   ///< index; empty: any
  double least = 0;            ///< below this …
  bool isPoint = false;        ///< … or only: a range that holds it
  std::string_view what;
};
constexpr std::array<Domain, 9> kDomains{{
    {"sqrt", "", 0, false, "the root of a negative number"},
    {"rsqrt", "", 0, false, "the root of a negative number"},
    {"log", "", 0, false, "the logarithm of a negative number"},
    {"log1p", "", -1, false, "the logarithm of a negative number"},
    {"reciprocal", "", 0, true, "a division by 0"},
    {"div", "1", 0, true, "a division by 0"},
    {"truediv", "1", 0, true, "a division by 0"},
    {"rtruediv", "0", 0, true, "a division by 0"},
    {"truedivide", "1", 0, true, "a division by 0"},
}};
/// These end in infinity rather than NaN at the end of their domain.
constexpr std::array<std::string_view, 2> kPoles{"rsqrt", "log"};

bool isOutside(const Domain& domain, const Finiteness& input) {
  return domain.isPoint ? *input.min <= domain.least && *input.max >= domain.least
                        : *input.min < domain.least;
}

std::string rangeText(const Finiteness& input) {
  return fmt::format("{} to {}", formatSignificant(*input.min), formatSignificant(*input.max));
}

class Reason {
 public:
  Reason(const DumpUnit& unit,
         const std::vector<Finiteness>& finiteness,
         const OverflowOrigin& origin,
         std::size_t row)
      : m_unit(unit),
        m_finiteness(finiteness),
        m_origin(origin),
        m_entry(unit.entries[origin.entry]),
        m_row(row),
        m_plain(plainOperation(m_entry.operation)) {}

  [[nodiscard]] std::string text() const {
    switch (m_origin.kind) {
      case OverflowKind::Given:
        return given();
      case OverflowKind::Nan:
        return fmt::format("puts out NaN, and what it read is finite: {}", causeOfNan());
      case OverflowKind::NanOfInfinity:
        return fmt::format("puts out NaN; among what it read, infinities stand for a mask: {}",
                           m_plain == "softmax" || m_plain.find("attention") != std::string::npos
                               ? "a row that is masked as a whole has no sum to divide by"
                               : "a difference of infinities, or 0 times infinity");
      case OverflowKind::Overflow:
        break;
    }
    return overflow();
  }

 private:
  [[nodiscard]] std::string given() const {
    const Finiteness& state = m_finiteness[m_row];
    const std::string_view what = state.hasNan ? "NaN" : "infinity";
    const dumps::DumpRow& row = m_unit.rows[m_row];
    if (isParameter(m_entry, row)) {
      return fmt::format(
          "its parameter {} holds {}, and nothing recorded has made it", row.name, what);
    }
    const bool isGradient = row.role == dumps::Role::OutputGradient;
    return fmt::format("its {} {} holds {}, and everything that was recorded before is finite",
                       isGradient ? "incoming gradient" : "input",
                       row.name,
                       what);
  }

  /// An input outside of what the operation can take; empty: none that is known.
  [[nodiscard]] std::string domainError(bool isInfinite) const {
    for (const Domain& domain : kDomains) {
      for (std::size_t row = m_entry.firstRow; row < m_entry.firstRow + m_entry.rowCount; ++row) {
        std::string error = isMeant(domain, row) ? errorOf(domain, row, isInfinite) : "";
        if (!error.empty()) {
          return error;
        }
      }
    }
    return "";
  }

  [[nodiscard]] bool isMeant(const Domain& domain, std::size_t row) const {
    return domain.operation == m_plain && dumps::isRead(m_unit.rows[row].role) &&
           m_finiteness[row].min && m_finiteness[row].max &&
           (domain.argument.empty() || m_unit.rows[row].index == domain.argument);
  }

  [[nodiscard]] std::string errorOf(const Domain& domain, std::size_t row, bool isInfinite) const {
    const Finiteness& input = m_finiteness[row];
    const std::string& name = m_unit.rows[row].name;
    const bool isPole = isInfinite && *input.min <= domain.least && *input.max >= domain.least &&
                        std::find(kPoles.begin(), kPoles.end(), m_plain) != kPoles.end();
    if (isPole) {
      return fmt::format("{} of 0; {} holds {}", m_plain, name, rangeText(input));
    }
    // Extremes on both sides of 0 do not say that 0 is among them; NaN of finite numbers does.
    const bool isNear =
        isInfinite && domain.isPoint && *input.min<domain.least&& * input.max> domain.least;
    return isOutside(domain, input) ? fmt::format("{}{}; {} holds {}",
                                                  domain.what,
                                                  isNear ? " or by a number near it" : "",
                                                  name,
                                                  rangeText(input))
                                    : "";
  }

  [[nodiscard]] std::string causeOfNan() const {
    if (std::string cause = domainError(false); !cause.empty()) {
      return cause;
    }
    return "an infinity on the way (Inf − Inf, 0 · Inf), 0 / 0, or memory that nobody wrote";
  }

  [[nodiscard]] std::string overflow() const {
    if (std::string cause = domainError(true); !cause.empty()) {
      return fmt::format("puts out infinity, and what it read is finite: {}", cause);
    }
    std::string text =
        m_origin.limit > 0
            ? fmt::format(
                  "puts out infinity, and what it read is finite: a result beyond {}, the "
                  "largest {}",
                  formatSignificant(m_origin.limit, 5),
                  m_origin.dtype)
            : std::string(
                  "puts out infinity, and what it read is finite: a result beyond the "
                  "largest number of its format");
    if (m_origin.largestInput) {
      text += fmt::format("; the largest number that it read is {}",
                          formatSignificant(*m_origin.largestInput));
    }
    return text;
  }

  const DumpUnit& m_unit;
  const std::vector<Finiteness>& m_finiteness;
  const OverflowOrigin& m_origin;
  const DumpEntry& m_entry;
  std::size_t m_row;
  std::string m_plain;
};

}  // namespace

std::string overflowReason(const DumpUnit& unit,
                           const std::vector<Finiteness>& finiteness,
                           const OverflowOrigin& origin,
                           std::size_t row) {
  return Reason(unit, finiteness, origin, row).text();
}

}  // namespace ulp::analysis

#include "core/comparing/match/row_identity.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <string_view>

#include "core/base/text/parse_number.h"

namespace ulp::analysis {
namespace {

using dumps::DumpEntry;
using dumps::DumpRow;
using dumps::Role;

/// Arguments of functions that take parameters, by position.
struct ParameterArguments {
  std::string_view operation;
  std::array<std::string_view, 2> indices;
};
constexpr std::array<ParameterArguments, 7> kParameterArguments{{
    {"Functional.linear", {"1", "2"}},
    {"Functional.embedding", {"1", "1"}},
    {"Functional.layer_norm", {"2", "3"}},
    {"Functional.rms_norm", {"2", "2"}},
    {"Functional.conv1d", {"1", "2"}},
    {"Functional.conv2d", {"1", "2"}},
    {"Functional.group_norm", {"2", "3"}},
}};

}  // namespace

bool isParameter(const DumpEntry& entry, const DumpRow& row) {
  if (row.role == Role::Parameter) {
    return true;
  }
  return row.role == Role::Input && entry.pass == Pass::Forward &&
         std::any_of(kParameterArguments.begin(),
                     kParameterArguments.end(),
                     [&](const ParameterArguments& known) {
                       return known.operation == entry.operation &&
                              (known.indices[0] == row.index || known.indices[1] == row.index);
                     });
}

std::string fingerprintOf(const DumpRow& row) {
  if (!row.checksum.empty()) {
    return row.dtype + "|" + row.checksum;
  }
  const dumps::Statistics& numbers = row.statistics;
  if (!numbers.norm || !numbers.mean || *numbers.norm == 0) {
    return "";
  }
  // Views change the shape and leave the numbers alone. Their bytes, as digits take long to write.
  std::array<double, 4> all{
      numbers.max.value_or(0), numbers.min.value_or(0), *numbers.mean, *numbers.norm};
  for (double& number : all) {
    number = std::isnan(number) ? std::numeric_limits<double>::quiet_NaN() : number;
  }
  return {reinterpret_cast<const char*>(all.data()), sizeof all};
}

std::optional<double> argumentNumber(const DumpRow& row) {
  return parseNumber<double>(row.value);
}

bool isLimit(double value) {
  constexpr std::array<double, 4> kLimits{
      65504, 3.3895313892515355e38, 3.4028234663852886e38, std::numeric_limits<double>::max()};
  return std::isinf(value) ||
         std::find(kLimits.begin(), kLimits.end(), std::abs(value)) != kLimits.end();
}

bool isMasked(const DumpRow& row) {
  return (row.statistics.min && isLimit(*row.statistics.min)) ||
         (row.statistics.max && isLimit(*row.statistics.max));
}

std::optional<DType> elementTypeOf(const DumpRow& row) {
  std::string name = row.dtype;
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char letter) {
    return static_cast<char>(std::tolower(letter));
  });
  return parseDType(name);
}

std::string plainOperation(std::string_view operation) {
  operation.remove_prefix(std::min(operation.rfind('.') + 1, operation.size()));
  std::string plain;
  for (const char letter : operation) {
    if (letter != '_') {
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    }
  }
  return plain;
}

}  // namespace ulp::analysis

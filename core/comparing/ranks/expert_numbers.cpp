#include "core/comparing/ranks/expert_numbers.h"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <utility>

#include "core/base/text/parse_number.h"
#include "core/dumps/model/tensor_recipe.h"

namespace ulp::analysis {
namespace {

using dumps::DumpEntry;
using dumps::DumpRow;
using dumps::DumpUnitPtr;
using dumps::Role;

/// The digits of "weight3" and "bias3", which a module of several experts has a row each of.
std::string_view digitsOf(std::string_view segment) {
  for (const std::string_view name : {"weight", "bias"}) {
    if (segment.starts_with(name) && parseNatural<std::int64_t>(segment.substr(name.size()))) {
      return segment.substr(name.size());
    }
  }
  return {};
}

/// Where the number of an expert stands in a name; empty: nowhere.
std::string_view placeOfNumber(std::string_view name) {
  std::string_view before;
  bool isInside = false;
  std::size_t from = 0;
  while (from <= name.size()) {
    const std::size_t dot = std::min(name.find('.', from), name.size());
    const std::string_view segment = name.substr(from, dot - from);
    const bool isInList = before == "experts" || before == "local_experts";
    if (isInList && parseNatural<std::int64_t>(segment)) {
      return segment;
    }
    // Megatron's GroupedMLP has weight1 and weight2, which are of all experts.
    if (isInside && !isInList && !digitsOf(segment).empty()) {
      return digitsOf(segment);
    }
    isInside = isInside || segment == "experts";
    before = segment;
    from = dot + 1;
  }
  return {};
}

class Renamer {
 public:
  Renamer(const DumpUnitPtr& unit, const ExpertShare& share)
      : m_unit(unit), m_share(share), m_result(dumps::DerivedUnit::versionOf(*unit)) {}

  [[nodiscard]] DumpUnitPtr rename() && {
    for (const DumpEntry& from : m_unit->entries) {
      DumpEntry entry = from;
      entry.name = renamed(from.name);
      entry.module = renamed(from.module);
      m_result->addEntry(std::move(entry));
      for (std::size_t r = from.firstRow; r < from.firstRow + from.rowCount; ++r) {
        addRow(from, r);
      }
    }
    if (m_isBeyond) {
      m_result->notes.push_back(
          fmt::format("{}: has experts with numbers from {} up, which are taken for the whole "
                      "model's; leave 'experts' out if all are",
                      describe(m_unit->axes),
                      m_share.count));
    }
    return std::move(m_result);
  }

 private:
  void addRow(const DumpEntry& entry, std::size_t index) {
    DumpRow row = m_unit->rows[index];
    const std::string name = expertNameOf(entry, row);
    const bool isOfModule = entry.module.empty() || isOfOneExpert(entry.module);
    if (isOfModule) {
      row.name = renamed(row.name);
    } else if (isOfOneExpert(name)) {
      const std::string whole = renamed(name);
      const std::string number = whole.substr(whole.rfind('.') + 1);
      if (row.name.ends_with(row.index)) {
        row.name.replace(row.name.size() - row.index.size(), row.index.size(), number);
      }
      row.index = number;
    }
    m_result->addRow(std::move(row), dumps::rowRecipe(m_unit, index));
  }

  [[nodiscard]] std::string renamed(const std::string& name) {
    const auto number = parseNatural<std::int64_t>(placeOfNumber(name));
    m_isBeyond = m_isBeyond || (number && *number >= m_share.count);
    return withExpertNumber(name, m_share);
  }

  DumpUnitPtr m_unit;
  ExpertShare m_share;
  std::shared_ptr<dumps::DerivedUnit> m_result;
  bool m_isBeyond = false;
};

}  // namespace

bool isOfOneExpert(std::string_view name) {
  return !placeOfNumber(name).empty();
}

std::string withExpertNumber(std::string_view name, const ExpertShare& share) {
  const std::string_view digits = placeOfNumber(name);
  const auto number = parseNatural<std::int64_t>(digits);
  if (!number || *number >= share.count) {
    return std::string(name);
  }
  const auto place = static_cast<std::size_t>(digits.data() - name.data());
  return fmt::format(
      "{}{}{}", name.substr(0, place), *number + share.first, name.substr(place + digits.size()));
}

std::string expertNameOf(const DumpEntry& entry, const DumpRow& row) {
  if (entry.module.empty()) {
    return row.name;
  }
  const bool isOfParameter = row.role == Role::Parameter || row.role == Role::ParameterGradient;
  return isOfParameter && !digitsOf(row.index).empty() ? entry.module + "." + row.index
                                                       : entry.module;
}

DumpUnitPtr withExpertNumbers(const DumpUnitPtr& unit, const ExpertShare& share) {
  return Renamer(unit, share).rename();
}

}  // namespace ulp::analysis

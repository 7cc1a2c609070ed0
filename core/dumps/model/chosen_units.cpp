#include "core/dumps/model/chosen_units.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>
#include <vector>

namespace ulp::dumps {
namespace {

class ChosenUnits final : public Dump {
 public:
  ChosenUnits(DumpPtr whole, std::vector<std::size_t> chosen)
      : m_whole(std::move(whole)), m_chosen(std::move(chosen)) {
    importer = m_whole->importer;
    format = m_whole->format;
    path = m_whole->path;
    checksumKind = m_whole->checksumKind;
    notes = m_whole->notes;
    for (const std::size_t unit : m_chosen) {
      units.push_back(m_whole->units[unit]);
    }
  }

  [[nodiscard]] Result<DumpUnitPtr> openUnit(std::size_t unit,
                                             const std::stop_token& stop,
                                             const Progress& progress) const override {
    return m_whole->openUnit(m_chosen[unit], stop, progress);
  }

 private:
  DumpPtr m_whole;
  std::vector<std::size_t> m_chosen;
};

bool fits(const UnitAxes& axes, const UnitAxes& choice) {
  const auto isMeant = [](const auto& wanted, const auto& value) {
    return !wanted || wanted == value;
  };
  return (choice.run.empty() || choice.run == axes.run) && isMeant(choice.step, axes.step) &&
         isMeant(choice.rank, axes.rank) && isMeant(choice.token, axes.token);
}

}  // namespace

Result<> checkChoice(const std::filesystem::path& dump,
                     std::span<const UnitAxes> units,
                     const UnitAxes& choice) {
  const bool isThere = std::any_of(
      units.begin(), units.end(), [&](const UnitAxes& unit) { return fits(unit, choice); });
  if (choice.isEmpty() || isThere) {
    return {};
  }
  std::vector<std::string> names;
  for (const UnitAxes& unit : units) {
    names.push_back(describe(unit));
  }
  return fail(ErrorCode::InvalidArgument,
              fmt::format("{}: there is no {}; there are {}",
                          dump.string(),
                          describe(choice),
                          fmt::join(names, "; ")));
}

Result<DumpPtr> chooseUnits(DumpPtr dump, const UnitAxes& choice) {
  if (choice.isEmpty()) {
    return dump;
  }
  std::vector<std::size_t> chosen;
  std::vector<UnitAxes> units;
  for (std::size_t i = 0; i < dump->units.size(); ++i) {
    units.push_back(dump->units[i].axes);
    if (fits(units.back(), choice)) {
      chosen.push_back(i);
    }
  }
  ULP_TRY(checkChoice(dump->path, units, choice));
  return std::make_shared<ChosenUnits>(std::move(dump), std::move(chosen));
}

}  // namespace ulp::dumps

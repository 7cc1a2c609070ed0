#include "views/mapping/mapping_picture.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include <QtCore/QCoreApplication>
#include <QtCore/QLocale>

#include "core/base/list_of.h"
#include "core/comparing/match/entry_matching.h"
#include "views/framework/words/site_text.h"

namespace ulp::views {
namespace {

struct MappingPictureWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::MappingEditor)
};

OpenSidePtr sideOf(const dumps::DumpUnitPtr& unit, const std::vector<std::size_t>& entries) {
  auto side = std::make_shared<OpenSide>();
  side->unit = unit;
  side->names = analysis::openNames(*unit, entries);
  side->index = FuzzyIndex(listOf(side->names, [](const analysis::OpenName& name) {
    return QString::fromStdString(name.name);
  }));
  return side;
}

QString tensorText(const dumps::DumpRow& row) {
  if (row.dtype.empty() && row.shape.empty()) {
    return {};
  }
  const QString shape = shapeText(row.shape);
  return row.dtype.empty() ? shape
                           : QStringLiteral("%1, %2").arg(shape, QString::fromStdString(row.dtype));
}

/// Calls `use` with each row behind a name until it returns false.
template <class Use>
void forEachRow(const OpenSide& side, const analysis::OpenName& name, const Use& use) {
  for (const std::size_t index : name.entries) {
    const dumps::DumpEntry& entry = side.unit->entries[index];
    for (std::size_t r = entry.firstRow; r < entry.firstRow + entry.rowCount; ++r) {
      if (!use(side.unit->rows[r])) {
        return;
      }
    }
  }
}

}  // namespace

Result<OpenUnits> openUnits(const MappingUnits& units,
                            std::size_t pair,
                            const std::stop_token& stop) {
  const auto sides = ULP_TRY(units.open(pair, stop));
  const auto namesOf = [](const dumps::DumpUnit& unit) {
    return std::make_shared<const std::vector<std::string>>(analysis::mappableNames(unit));
  };
  return OpenUnits{.sides = sides,
                   .baselineNames = namesOf(*sides.baseline),
                   .candidateNames = namesOf(*sides.candidate)};
}

Result<MappingPicturePtr> drawMapping(const OpenUnits& units,
                                      const analysis::SiteMapping& mapping,
                                      const std::function<void(MappingPicturePtr)>& partial,
                                      const std::stop_token& stop) {
  const analysis::UnitSides& sides = units.sides;
  const analysis::UnitMatching matching =
      ULP_TRY(analysis::matchUnits(*sides.baseline, *sides.candidate, mapping));
  MappingPicture picture{
      .matchedCalls = matching.entries.size(),
      .loneTensors = matching.onlyBaselineRows.size() + matching.onlyCandidateRows.size(),
      .baseline = sideOf(sides.baseline, matching.onlyBaselineEntries),
      .candidate = sideOf(sides.candidate, matching.onlyCandidateEntries)};
  picture.effects =
      ULP_TRY(analysis::effectsOf(mapping, *units.candidateNames, *units.baselineNames, stop));
  partial(std::make_shared<const MappingPicture>(picture));
  auto suggestions = ULP_TRY(analysis::suggestPartners(
      *sides.baseline, picture.baseline->names, *sides.candidate, picture.candidate->names, stop));
  picture.suggestions =
      std::make_shared<const analysis::MappingSuggestions>(std::move(suggestions));
  return std::make_shared<const MappingPicture>(std::move(picture));
}

std::vector<analysis::NamePair> mutualPairs(const MappingPicture& picture) {
  std::vector<analysis::NamePair> pairs;
  const auto& suggestions = picture.suggestions->ofBaseline;
  for (std::size_t i = 0; i < suggestions.size(); ++i) {
    if (!suggestions[i].isMutual) {
      continue;
    }
    auto pair = analysis::pairOf(*picture.baseline->unit,
                                 picture.baseline->names[i],
                                 *picture.candidate->unit,
                                 picture.candidate->names[suggestions[i].partner]);
    if (pair) {
      pairs.push_back(*std::move(pair));
    }
  }
  return pairs;
}

QString tensorText(const OpenSide& side, const analysis::OpenName& name) {
  const dumps::DumpRow* shown = nullptr;
  forEachRow(side, name, [&](const dumps::DumpRow& row) {
    const bool isMade = !dumps::isRead(row.role);
    if (shown == nullptr || isMade) {
      shown = &row;
    }
    return !isMade;
  });
  return shown == nullptr ? QString() : tensorText(*shown);
}

QString tensorsText(const OpenSide& side, const analysis::OpenName& name, std::size_t limit) {
  QStringList lines;
  std::size_t count = 0;
  forEachRow(side, name, [&](const dumps::DumpRow& row) {
    if (++count <= limit) {
      const QString tensor = tensorText(row);
      const QString text = tensor.isEmpty() ? QString::fromStdString(row.value) : tensor;
      lines << QStringLiteral("%1: %2").arg(QString::fromStdString(row.name), text);
    }
    return true;
  });
  if (count > limit) {
    lines << MappingPictureWords::tr("and %1 more")
                 .arg(QLocale().toString(static_cast<qulonglong>(count - limit)));
  }
  return lines.join(QLatin1Char('\n'));
}

QString passesText(const OpenSide& side, const analysis::OpenName& name) {
  QStringList passes;
  for (const Pass pass : kPasses) {
    const bool isThere = std::ranges::any_of(
        name.entries, [&](std::size_t entry) { return side.unit->entries[entry].pass == pass; });
    if (isThere) {
      passes << passText(pass);
    }
  }
  return passes.join(QStringLiteral(", "));
}

}  // namespace ulp::views

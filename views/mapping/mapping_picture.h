#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <QtCore/QString>
#include <QtCore/QStringList>

#include "core/analysis/mapping/site_mapping.h"
#include "core/comparing/align/dump_sides.h"
#include "core/comparing/match/mapping_names.h"
#include "core/comparing/match/mapping_suggestions.h"
#include "core/report/model/dump_origin.h"
#include "views/framework/words/fuzzy_match.h"

namespace ulp::views {

/// The pairs of units of two dumps that are open.
struct MappingUnits {
  QStringList titles;  ///< "step 0, rank 1"; an empty one: the only pair
  /// Called on a background thread. Errors: those of analysis::openUnitPair().
  std::function<Result<analysis::UnitSides>(std::size_t pair, const std::stop_token& stop)> open;
};

/// The dumps whose names are mapped.
struct MappingSource {
  QString baseline;  ///< what the window calls them
  QString candidate;
  /// Called on a background thread. Errors: those of analysis::openSides(); InvalidArgument where
  /// no units correspond.
  std::function<Result<MappingUnits>(const std::stop_token& stop)> open;
};
/// Of the dumps that a report compares.
[[nodiscard]] MappingSource mappingSourceOf(const report::DumpOrigin& origin);

/// What one side has that the other lacks.
struct OpenSide {
  dumps::DumpUnitPtr unit;
  std::vector<analysis::OpenName> names;  ///< in order of execution
  FuzzyIndex index;                       ///< of the names
};
using OpenSidePtr = std::shared_ptr<const OpenSide>;

using NamesPtr = std::shared_ptr<const std::vector<std::string>>;

/// A pair of units that is open, with the names that a rule may meet.
struct OpenUnits {
  analysis::UnitSides sides;
  NamesPtr baselineNames;  ///< analysis::mappableNames()
  NamesPtr candidateNames;
};

/// What a mapping makes of a pair of units. Made off the GUI thread and then only read.
struct MappingPicture {
  std::size_t matchedCalls = 0;
  /// Tensors of matched calls that the other side's call does not have: no mapping of names helps.
  std::size_t loneTensors = 0;
  OpenSidePtr baseline;
  OpenSidePtr candidate;
  std::vector<analysis::RuleEffect> effects;  ///< parallel to the rules
  /// Null: they are being looked for.
  std::shared_ptr<const analysis::MappingSuggestions> suggestions;
};
using MappingPicturePtr = std::shared_ptr<const MappingPicture>;

/// Errors: those of MappingUnits::open.
[[nodiscard]] Result<OpenUnits> openUnits(const MappingUnits& units,
                                          std::size_t pair,
                                          const std::stop_token& stop);

/// `partial` gets the picture before partners have been looked for. Errors: Cancelled.
[[nodiscard]] Result<MappingPicturePtr> drawMapping(
    const OpenUnits& units,
    const analysis::SiteMapping& mapping,
    const std::function<void(MappingPicturePtr)>& partial,
    const std::stop_token& stop);

/// The pairs of all names that suggest each other.
[[nodiscard]] std::vector<analysis::NamePair> mutualPairs(const MappingPicture& picture);

/// Of the first tensor that the name makes, else of the first: "4 × 576, torch.float32"; empty
/// where the dump does not say.
[[nodiscard]] QString tensorText(const OpenSide& side, const analysis::OpenName& name);
/// Every tensor behind a name, one a line; those beyond `limit` are counted.
[[nodiscard]] QString tensorsText(const OpenSide& side,
                                  const analysis::OpenName& name,
                                  std::size_t limit);
/// "forward, backward"
[[nodiscard]] QString passesText(const OpenSide& side, const analysis::OpenName& name);

}  // namespace ulp::views

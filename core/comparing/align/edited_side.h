#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/comparing/match/entry_keys.h"
#include "core/dumps/model/unit_edit.h"

namespace ulp::analysis {

/// A unit while it is brought to the tensors of the other one.
struct EditedSide {
  EditedSide(const dumps::DumpUnitPtr& its,
             const SiteMapping* mapping,
             const std::vector<bool>& again,
             KeyRules rules)
      : unit(its), keys(*its, mapping, again, rules), edit(its) {}

  dumps::DumpUnitPtr unit;
  EntryKeys keys;
  dumps::UnitEdit edit;
  std::map<std::string, std::string> reasons;  ///< by name of the row
};

}  // namespace ulp::analysis

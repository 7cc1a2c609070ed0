#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/analysis/mapping/site_mapping.h"
#include "core/base/first_error.h"
#include "core/base/text/numbers_by_name.h"
#include "core/dumps/model/dump.h"

namespace ulp::analysis {

/// How the module paths of a unit read in the words of the other side: rules and pairs of the
/// mapping, and msprobe's mappings by class. Remembers what it has mapped; not thread-safe.
class ModuleNames {
 public:
  /// Both must outlive it.
  ModuleNames(const dumps::DumpUnit& unit, const SiteMapping& mapping);

  /// `type` is the class of the module, empty where it is not known.
  [[nodiscard]] const std::string& mapped(const std::string& path, const std::string& type);
  /// Errors: those of SiteMapping::map() for what was mapped so far.
  [[nodiscard]] Result<> check() const { return m_error.check(); }

 private:
  /// A child of a module: where its own part of the path ends, and what it is called instead.
  struct Child {
    std::size_t end = 0;
    std::string name;
  };
  [[nodiscard]] Child childOf(const std::string& type,
                              const std::string& path,
                              std::size_t at) const;
  [[nodiscard]] std::string byLayers(const std::string& path) const;
  [[nodiscard]] std::string byCells(const std::string& path, const std::string& type) const;

  const SiteMapping& m_mapping;
  std::unordered_map<std::string, std::string> m_types;  ///< class by path, where layers need it
  std::unordered_map<std::string, std::string> m_known;
  FirstError m_error;
};

/// Which of the unit's entries are forward calls that ran a second time, in the backward pass,
/// because activation checkpointing had not kept what they made; one for each entry, or empty
/// where there are none. Told by the recording's own mark, by the call stack (torch's
/// checkpoint, or a backward() that autograd called), by an enclosing call that is one; without
/// any of them where a module has two forward calls for each backward one and the later of them
/// stands in the backward pass.
[[nodiscard]] std::vector<bool> recomputedCalls(const dumps::DumpUnit& unit);

/// Where an entry stands. Entries of two units that stand in the same place have equal texts.
struct EntryKey {
  std::string before;  ///< kind and pass
  std::string path;    ///< the module, or the name of what belongs to none; in the words of the
                       ///< baseline
  std::string after;   ///< call, operation, how many of the same came before

  [[nodiscard]] std::string text() const { return before + path + after; }
  /// The text that it would have on another path.
  [[nodiscard]] std::string textAt(const std::string& other) const {
    return before + other + after;
  }
};

/// Tells whether `mapping` may change a module path or a name of the candidate.
[[nodiscard]] bool renames(const SiteMapping& mapping);

/// Returns the entry whose path the key of `entry` has: of a call of an API the enclosing module.
[[nodiscard]] const dumps::DumpEntry& scopeOf(const dumps::DumpUnit& unit,
                                              const dumps::DumpEntry& entry);
/// Returns what the key of `entry` has as its path where nothing is renamed.
[[nodiscard]] const std::string& pathOf(const dumps::DumpUnit& unit, const dumps::DumpEntry& entry);

/// How the entries of two units are told apart; the same for both.
struct KeyRules {
  bool countsCalls = false;     ///< a side recomputes: the tool's numbers of calls do not agree
  bool leavesCallsOut = false;  ///< for pairing in order alone
};

/// The keys of a unit's entries. Unless calls are left out, no two are equal.
class EntryKeys {
 public:
  /// `mapping` is null for the baseline. `recomputed`: as recomputedCalls() gives it.
  EntryKeys(const dumps::DumpUnit& unit,
            const SiteMapping* mapping,
            std::vector<bool> recomputed,
            KeyRules rules);

  [[nodiscard]] const std::vector<EntryKey>& all() const { return m_keys; }
  /// As recomputedCalls() gives it.
  [[nodiscard]] const std::vector<bool>& recomputed() const { return m_recomputed; }
  /// Which entry has the text; kNone: none.
  [[nodiscard]] std::size_t find(const std::string& text) const;
  /// How the path of `entry` would read in the baseline's words if it were `path`.
  [[nodiscard]] std::string mapped(const dumps::DumpEntry& entry, const std::string& path);
  /// Whoever uses keys asks it before what they led to is used. Errors: as of ModuleNames::check();
  /// Cancelled where the work was stopped that made them: then there are some without a text.
  [[nodiscard]] Result<> check() const;

 private:
  void countCalls();
  [[nodiscard]] EntryKey base(std::size_t index);
  [[nodiscard]] std::string scopeCall(const dumps::DumpEntry& entry) const;
  [[nodiscard]] std::string call(std::size_t index) const;

  [[nodiscard]] bool isAgain(std::size_t index) const {
    return !m_recomputed.empty() && m_recomputed[index];
  }

  const dumps::DumpUnit& m_unit;
  std::vector<bool> m_recomputed;
  KeyRules m_rules;
  std::optional<ModuleNames> m_names;  ///< nothing: all keep theirs
  std::vector<std::uint64_t> m_calls;  ///< of each entry; as the tool numbers them where empty
  std::vector<EntryKey> m_keys;
  NumbersByName m_places;
  bool m_isStopped = false;
};

/// The keys of both units of a pair.
struct PairedKeys {
  EntryKeys baseline;
  EntryKeys candidate;

  /// As EntryKeys::check(), of both.
  [[nodiscard]] Result<> check() const {
    ULP_TRY(baseline.check());
    return candidate.check();
  }
};
/// The keys of both units, which must outlive them, and so must `mapping`. Calls of the same module
/// are told apart by their numbers, unless `leavesCallsOut`.
[[nodiscard]] PairedKeys pairedKeys(const dumps::DumpUnit& baseline,
                                    const dumps::DumpUnit& candidate,
                                    const SiteMapping& mapping,
                                    bool leavesCallsOut = false);

}  // namespace ulp::analysis

#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "core/dumps/model/dump.h"
#include "core/dumps/msit/layout.h"

namespace ulp::dumps::msit {

/// A dump of msit llm: processes, each of which recorded tokens. Derived classes list the units in
/// their constructor and read them.
class ProcessDump : public Dump {
 public:
  ~ProcessDump() override = default;

 protected:
  explicit ProcessDump(std::vector<Process> processes);

  /// What a unit is of; no token: of the process as a whole.
  struct Place {
    const Process* process = nullptr;
    const TokenFolder* token = nullptr;
  };

  [[nodiscard]] const std::vector<Process>& processes() const { return m_processes; }
  void addToken(std::size_t process, const TokenFolder& token);
  /// A unit that is of no token.
  void addWhole(std::size_t process, std::string run, std::filesystem::path folder);
  [[nodiscard]] const Place& placeOf(std::size_t unit) const { return m_places[unit]; }

 private:
  std::vector<Process> m_processes;
  std::vector<Place> m_places;  ///< parallel to units
};

}  // namespace ulp::dumps::msit

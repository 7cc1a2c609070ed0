#include "core/dumps/msit/process_dump.h"

namespace ulp::dumps::msit {

ProcessDump::ProcessDump(std::vector<Process> processes) : m_processes(std::move(processes)) {}

void ProcessDump::addToken(std::size_t process, const TokenFolder& token) {
  units.push_back({.axes = {.step = {}, .rank = m_processes[process].rank, .token = token.token},
                   .path = token.path});
  m_places.push_back({&m_processes[process], &token});
}

void ProcessDump::addWhole(std::size_t process, std::string run, std::filesystem::path folder) {
  units.push_back(
      {.axes = {.run = std::move(run), .step = {}, .rank = m_processes[process].rank, .token = {}},
       .path = std::move(folder)});
  m_places.push_back({&m_processes[process], nullptr});
}

}  // namespace ulp::dumps::msit

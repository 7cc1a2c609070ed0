#pragma once

#include <mutex>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace ulp::worker {

/// Variants that nobody wants any more, asked for while their study runs. Thread-safe: asked on one
/// thread, heeded by the study on another.
class SkipRequests {
 public:
  /// A run that goes on is stopped at its next site.
  void ask(const std::string& run);
  [[nodiscard]] bool isAsked(std::string_view run) const;
  /// Hands out the runs that were asked for since the last call, in order.
  [[nodiscard]] std::vector<std::string> takeNew();

  /// Lets ask(run) stop `stop` from here on; stops it at once if the run was asked for before.
  void runBegins(const std::string& run, const std::stop_source& stop);
  void runEnds();

 private:
  mutable std::mutex m_mutex;
  std::set<std::string, std::less<>> m_asked;
  std::vector<std::string> m_new;
  std::string m_running;
  std::stop_source m_stop{std::nostopstate};
};

}  // namespace ulp::worker

#include "core/dumps/msit/write_order.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <system_error>

namespace ulp::dumps::msit {
namespace {

namespace fs = std::filesystem;

/// Of the newest file, else of the folder. Nothing: the system refuses to say.
std::optional<fs::file_time_type> endOf(const fs::path& folder) {
  std::optional<fs::file_time_type> newest;
  std::error_code failed;
  for (fs::directory_iterator file(folder, failed), end; !failed && file != end;
       file.increment(failed)) {
    const auto time = file->last_write_time(failed);
    if (!failed && (!newest || time > *newest)) {
      newest = time;
    }
  }
  if (!newest && !failed) {
    newest = fs::last_write_time(folder, failed);
  }
  return failed ? std::nullopt : newest;
}

}  // namespace

std::optional<std::vector<std::size_t>> writeOrder(const std::vector<CallFolder>& calls) {
  std::vector<fs::file_time_type> ends;
  ends.reserve(calls.size());
  for (const CallFolder& call : calls) {
    const auto end = endOf(call.path);
    if (!end) {
      return std::nullopt;
    }
    ends.push_back(*end);
  }
  const bool isOneTime =
      std::adjacent_find(ends.begin(), ends.end(), std::not_equal_to<>()) == ends.end();
  if (isOneTime && ends.size() > 1) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (calls[i].around != kNone && ends[calls[i].around] < ends[i]) {
      return std::nullopt;
    }
  }
  std::vector<std::size_t> order(calls.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t one, std::size_t other) {
    return ends[one] < ends[other];
  });
  return order;
}

}  // namespace ulp::dumps::msit

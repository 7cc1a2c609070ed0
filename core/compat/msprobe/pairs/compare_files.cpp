#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <mutex>
#include <utility>

#include "core/base/threads.h"
#include "core/compat/msprobe/pairs/sides.h"
#include "core/dumps/msprobe/process_folder.h"

namespace ulp::compat::msprobe {
namespace {

namespace fs = std::filesystem;

TensorComparison unsupported(std::string message) {
  return {metricsOf(MetricState::Unsupported), std::move(message)};
}

/// Shares the pairs out among threads.
class FileComparison {
 public:
  FileComparison(const Sides& sides,
                 Generation generation,
                 const std::stop_token& stop,
                 const dumps::Progress& progress)
      : m_sides(sides),
        m_generation(generation),
        m_stop(stop),
        m_progress(progress),
        m_targets(sides.target.path.parent_path() / dumps::msprobe::kTensorFolder),
        m_goldens(sides.golden.path.parent_path() / dumps::msprobe::kTensorFolder) {
    m_result.pairs.resize(sides.pairs.size());
  }

  Result<ComparedTensors> run() {
    ULP_TRY(runOnThreads(threadsFor(m_sides.pairs.size()), [this](std::size_t) { work(); }));
    if (m_stop.stop_requested()) {
      return fail(ErrorCode::Cancelled, "comparing tensors was stopped");
    }
    if (m_unread > 0) {
      m_result.notes.push_back(fmt::format(
          "{} files of tensors could not be read, the first is {}", m_unread, m_firstProblem));
    }
    return std::move(m_result);
  }

 private:
  void work() {
    const std::size_t count = m_sides.pairs.size();
    for (std::size_t each = m_next++; each < count && !m_stop.stop_requested(); each = m_next++) {
      m_result.pairs[each] = compare(m_sides.pairs[each]);
      const std::size_t done = ++m_done;
      constexpr std::size_t kReported = 64;
      if (m_progress && (done % kReported == 0 || done == count)) {
        const std::scoped_lock lock(m_mutex);
        m_progress(done, count);
      }
    }
  }

  TensorComparison compare(const Pair& pair) {
    const std::string& target = m_sides.target.records[pair.target].fileName;
    if (target.empty()) {
      return unsupported("NPU does not have data file.");
    }
    if (pair.golden == dumps::kNone) {
      return unsupported("Bench api/module unmatched.");
    }
    const std::string& golden = m_sides.golden.records[pair.golden].fileName;
    if (golden.empty()) {
      return unsupported("Bench does not have data file.");
    }
    const auto left = dumps::readTensorFile(m_targets / target);
    const auto right = dumps::readTensorFile(m_goldens / golden);
    if (!left || !right) {
      return unread(pair, (left ? right : left).error());
    }
    TensorComparison result = compareTensors(*left, *right, m_generation);
    for (const tensors::Tensor* tensor : {&*left, &*right}) {
      if (const auto intact = tensors::checkIntact(*tensor); !intact) {
        return unread(pair, intact.error());
      }
    }
    return result;
  }

  TensorComparison unread(const Pair& pair, const Error& error) {
    const std::scoped_lock lock(m_mutex);
    m_firstProblem = m_unread++ == 0 ? error.message() : m_firstProblem;
    return unsupported(
        fmt::format("Dump file: {} not found or read failed.", m_sides.fileNames(pair)));
  }

  const Sides& m_sides;
  Generation m_generation;
  const std::stop_token& m_stop;
  const dumps::Progress& m_progress;
  fs::path m_targets;
  fs::path m_goldens;
  ComparedTensors m_result;
  std::atomic<std::size_t> m_next = 0;
  std::atomic<std::size_t> m_done = 0;
  std::mutex m_mutex;
  std::size_t m_unread = 0;
  std::string m_firstProblem;
};

}  // namespace

Result<ComparedTensors> compareFiles(const Sides& sides,
                                     Generation generation,
                                     const std::stop_token& stop,
                                     const dumps::Progress& progress) {
  return FileComparison(sides, generation, stop, progress).run();
}

}  // namespace ulp::compat::msprobe

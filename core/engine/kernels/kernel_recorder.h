#pragma once

#include <array>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/kernels/kernel_record.h"
#include "core/base/site.h"
#include "core/engine/kernels/kernel_trace.h"

namespace ulp::engine {

/// Records which kernels run for which rows, from construction to finish(). Marks come one after
/// another, from whatever thread computes.
class KernelRecorder {
 public:
  /// `rows`: of the run, whether anybody looks at them or not. Throws c10::Error.
  explicit KernelRecorder(const std::vector<Site>& rows);

  [[nodiscard]] bool knows(Pass pass, const std::string& row) const {
    return find(pass, row) != nullptr;
  }
  /// Of rows that it does not know these do nothing.
  void begins(Pass pass, const std::string& row);
  void ends(Pass pass, const std::string& row);
  /// What the caller launches from here on is none of the model's.
  void setAside(bool isAside);
  /// Waits for the device. Throws c10::Error.
  [[nodiscard]] KernelRecord finish();

 private:
  struct Moment {
    RowMark::Kind kind = RowMark::Kind::Begins;
    c10::approx_time_t time{};
    const Site* row = nullptr;
  };

  [[nodiscard]] const Site* find(Pass pass, const std::string& row) const;
  void mark(RowMark::Kind kind, const Site* row);

  std::array<std::unordered_map<std::string, Site>, kPasses.size()> m_rows;
  std::vector<Moment> m_moments;
  KernelTrace m_trace;
};

/// Sets aside what is launched until it goes out of scope; null: nothing is recorded.
class KernelsAside {
 public:
  explicit KernelsAside(KernelRecorder* recorder) : m_recorder(recorder) { set(true); }
  ~KernelsAside() { set(false); }
  KernelsAside(const KernelsAside&) = delete;
  KernelsAside& operator=(const KernelsAside&) = delete;

 private:
  void set(bool isAside) {
    if (m_recorder != nullptr) {
      m_recorder->setAside(isAside);
    }
  }

  KernelRecorder* m_recorder;
};

}  // namespace ulp::engine

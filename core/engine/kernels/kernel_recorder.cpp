#include "core/engine/kernels/kernel_recorder.h"

#include <utility>

namespace ulp::engine {

KernelRecorder::KernelRecorder(const std::vector<Site>& rows) {
  for (const Site& row : rows) {
    m_rows[static_cast<std::size_t>(row.pass)].emplace(row.name, row);
  }
}

const Site* KernelRecorder::find(Pass pass, const std::string& row) const {
  const auto& rows = m_rows[static_cast<std::size_t>(pass)];
  const auto found = rows.find(row);
  return found == rows.end() ? nullptr : &found->second;
}

void KernelRecorder::mark(RowMark::Kind kind, const Site* row) {
  m_moments.push_back({kind, KernelTrace::now(), row});
}

void KernelRecorder::begins(Pass pass, const std::string& row) {
  if (const Site* known = find(pass, row)) {
    mark(RowMark::Kind::Begins, known);
  }
}

void KernelRecorder::ends(Pass pass, const std::string& row) {
  if (const Site* known = find(pass, row)) {
    mark(RowMark::Kind::Ends, known);
  }
}

void KernelRecorder::setAside(bool isAside) {
  mark(isAside ? RowMark::Kind::Aside : RowMark::Kind::Back, nullptr);
}

KernelRecord KernelRecorder::finish() {
  KernelTrace::Seen seen = m_trace.finish();
  std::vector<RowMark> marks;
  marks.reserve(m_moments.size());
  for (const Moment& moment : m_moments) {
    marks.push_back(
        {moment.kind, seen.timeOf(moment.time), moment.row == nullptr ? Site{} : *moment.row});
  }
  return kernelsOfRows(marks, std::move(seen.launches));
}

}  // namespace ulp::engine

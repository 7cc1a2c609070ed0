#include "core/engine/kernels/kernel_rows.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

namespace ulp::engine {
namespace {

/// Adds kernels to rows under the numbers of their names.
class RecordWriter {
 public:
  void add(const Site& row, const std::vector<const std::string*>& kernels) {
    if (kernels.empty()) {
      return;
    }
    std::vector<std::uint32_t>& known = m_record.of(row.pass)[row.name];
    for (const std::string* kernel : kernels) {
      const std::uint32_t number = numberOf(*kernel);
      if (std::ranges::find(known, number) == known.end()) {
        known.push_back(number);
      }
    }
  }

  [[nodiscard]] KernelRecord take() { return std::move(m_record); }

 private:
  std::uint32_t numberOf(const std::string& name) {
    const auto [place, isNew] =
        m_numbers.emplace(name, static_cast<std::uint32_t>(m_record.names.size()));
    if (isNew) {
      m_record.names.push_back(name);
    }
    return place->second;
  }

  KernelRecord m_record;
  std::unordered_map<std::string, std::uint32_t> m_numbers;
};

/// What is known of a run while its marks and launches are followed in order.
class RowTracker {
 public:
  void take(const std::string& kernel) {
    if (m_asides > 0) {
      return;
    }
    m_sinceMark.push_back(&kernel);
    if (m_open.empty()) {
      m_unowned.push_back(&kernel);
      return;
    }
    m_unowned.clear();
    deepest().kernels.push_back(&kernel);
  }

  void follow(const RowMark& mark) {
    switch (mark.kind) {
      case RowMark::Kind::Begins:
        begin(mark.row);
        m_sinceMark.clear();
        break;
      case RowMark::Kind::Ends:
        end(mark.row);
        m_sinceMark.clear();
        break;
      case RowMark::Kind::Aside:
        ++m_asides;
        break;
      case RowMark::Kind::Back:
        --m_asides;
        break;
    }
  }

  [[nodiscard]] KernelRecord finish() { return m_writer.take(); }

 private:
  using Kernels = std::vector<const std::string*>;
  struct OpenRow {
    const Site* row = nullptr;
    Kernels kernels{};
  };

  /// Of rows that are as deep the one that began last.
  [[nodiscard]] OpenRow& deepest() {
    return *std::max_element(
        m_open.rbegin(), m_open.rend(), [](const OpenRow& a, const OpenRow& b) {
          return a.row->module.size() < b.row->module.size();
        });
  }

  /// In the backward pass a row whose product is the gradient of its own output ends before it
  /// begins.
  void begin(const Site& row) {
    if (!m_ended.contains({row.pass, row.name})) {
      m_open.push_back({&row});
    }
  }

  void end(const Site& row) {
    m_ended.insert({row.pass, row.name});
    if (row.level == Level::Op) {
      m_writer.add(row, m_sinceMark);
      return;
    }
    const auto open = std::ranges::find_if(m_open, [&](const OpenRow& candidate) {
      return candidate.row->name == row.name && candidate.row->pass == row.pass;
    });
    Kernels own;
    if (open != m_open.end()) {
      own = std::move(open->kernels);
      m_open.erase(open);
    }
    if (own.empty() && m_open.empty()) {
      own = std::exchange(m_unowned, {});
    }
    m_writer.add(row, own);
  }

  RecordWriter m_writer;
  std::vector<OpenRow> m_open;  ///< in the order in which they began
  std::set<std::pair<Pass, std::string>> m_ended;
  Kernels m_sinceMark;
  Kernels m_unowned;
  int m_asides = 0;
};

}  // namespace

KernelRecord kernelsOfRows(const std::vector<RowMark>& marks, std::vector<KernelLaunch> launches) {
  std::ranges::stable_sort(launches, {}, &KernelLaunch::time);
  RowTracker tracker;
  auto launch = launches.begin();
  for (const RowMark& mark : marks) {
    for (; launch != launches.end() && launch->time < mark.time; ++launch) {
      tracker.take(launch->name);
    }
    tracker.follow(mark);
  }
  return tracker.finish();
}

}  // namespace ulp::engine

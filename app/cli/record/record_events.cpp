#include "app/cli/record/record_events.h"

#include <algorithm>
#include <array>
#include <fstream>

#include "core/json/parse.h"

namespace ulp::cli {
namespace {

std::int64_t countIn(const json::Value& event, const char* key) {
  const json::Value& value = event.at(key);
  return value.isInteger() && !value.isBeyondInt64() ? value.integer() : 0;
}

}  // namespace

std::int64_t RecordState::tensors() const {
  std::int64_t sum = 0;
  for (const auto& [number, rank] : ranks) {
    sum += rank.tensors;
  }
  return sum;
}

std::int64_t RecordState::bytes() const {
  std::int64_t sum = 0;
  for (const auto& [number, rank] : ranks) {
    sum += rank.bytes;
  }
  return sum;
}

std::int64_t RecordState::steps() const {
  const auto least =
      std::ranges::min_element(ranks, {}, [](const auto& rank) { return rank.second.done; });
  return least == ranks.end() ? 0 : least->second.done;
}

bool RecordEvents::read() {
  std::ifstream file(m_file, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(m_end));
  std::array<char, 1 << 14> part{};
  const std::uint64_t before = m_end;
  while (file.read(part.data(), part.size()) || file.gcount() > 0) {
    m_begun.append(part.data(), static_cast<std::size_t>(file.gcount()));
    m_end += static_cast<std::uint64_t>(file.gcount());
  }
  for (std::size_t end = m_begun.find('\n'); end != std::string::npos; end = m_begun.find('\n')) {
    take(std::string_view(m_begun).substr(0, end));
    m_begun.erase(0, end + 1);
  }
  return m_end != before;
}

void RecordEvents::take(std::string_view line) {
  const auto event = json::parseObject(line);
  if (!event) {
    return;  // of a process that ended while it wrote
  }
  const std::string& kind = event->at("event").text();
  m_state.hasTorch = true;
  if (kind == "begun") {
    m_state.ranks[countIn(*event, "rank")] = {};
  } else if (kind == "progress") {
    takeCounts(*event);
  } else if (kind == "idle") {
    m_state.idleRanks += 1;
  } else if (kind == "ended") {
    m_state.ranks[countIn(*event, "rank")].hasEnded = true;
    m_state.evaluations += countIn(*event, "evaluations");
  } else if (kind == "failed") {
    m_state.problems.push_back(event->at("message").text());
  } else if (kind == "nothing") {
    m_state.nothing = event->at("message").text();
  }
}

void RecordEvents::takeCounts(const json::Value& event) {
  RecordState::Rank& rank = m_state.ranks[countIn(event, "rank")];
  rank.step = countIn(event, "step");
  rank.done = countIn(event, "done");
  rank.tensors = countIn(event, "tensors");
  rank.bytes = countIn(event, "bytes");
}

}  // namespace ulp::cli

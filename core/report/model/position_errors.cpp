#include "core/report/model/position_errors.h"

#include <algorithm>

namespace ulp::report {
namespace {

template <class Item>
void addEach(std::vector<Item>& total,
             const std::vector<Item>& more,
             void (*add)(Item& total, const Item& more)) {
  total.resize(std::max(total.size(), more.size()));
  for (std::size_t i = 0; i < more.size(); ++i) {
    add(total[i], more[i]);
  }
}

void addTops(PositionTops& total, const PositionTops& more) {
  total.tokens += more.tokens;
  total.flipped += more.flipped;
}

}  // namespace

std::size_t PositionErrors::count() const {
  std::size_t most = tops.size();
  for (const PositionRow& row : rows) {
    most = std::max(most, row.errors.size());
  }
  return most;
}

const PositionRow* PositionErrors::find(std::string_view name) const {
  const auto found = std::ranges::find(rows, name, &PositionRow::name);
  return found == rows.end() ? nullptr : &*found;
}

const PositionRow* PositionErrors::lastLayer() const {
  const auto last = std::ranges::max_element(rows, {}, &PositionRow::layer);
  return last == rows.end() || last->layer < 0 ? nullptr : &*last;
}

void addPosition(PositionError& total, const PositionError& more) {
  addTokens(total.tokens, more.tokens);
  total.nonFinite += more.nonFinite;
}

void addPositions(PositionErrors& total, const PositionErrors& more) {
  if (total.isEmpty() || more.isEmpty()) {
    total = total.isEmpty() ? more : total;
    return;
  }
  if (total.first != more.first || total.prompt != more.prompt) {
    total = {};
    return;
  }
  for (const PositionRow& row : more.rows) {
    const auto known = std::ranges::find(total.rows, row.name, &PositionRow::name);
    if (known == total.rows.end()) {
      total.rows.push_back(row);
    } else {
      addEach(known->errors, row.errors, addPosition);
    }
  }
  addEach(total.tops, more.tops, addTops);
}

PositionError sumOf(const PositionRow& row, std::size_t from, std::size_t to) {
  PositionError sum;
  for (std::size_t i = from; i < std::min(to, row.errors.size()); ++i) {
    addPosition(sum, row.errors[i]);
  }
  return sum;
}

PositionTops sumOf(const std::vector<PositionTops>& tops, std::size_t from, std::size_t to) {
  PositionTops sum;
  for (std::size_t i = from; i < std::min(to, tops.size()); ++i) {
    addTops(sum, tops[i]);
  }
  return sum;
}

}  // namespace ulp::report

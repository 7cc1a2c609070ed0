#pragma once

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace ulp {

/// What the plug-ins of a folder add, each with a member `id`, in the order of their files.
template <class Item>
class Registry {
 public:
  void add(Item item) { m_items.push_back(std::move(item)); }
  /// Brings the items into the order of a member.
  template <class Key>
  void sortBy(Key Item::*member) {
    std::ranges::stable_sort(m_items, {}, member);
  }
  [[nodiscard]] const std::vector<Item>& all() const { return m_items; }
  /// Null: none has this id.
  [[nodiscard]] const Item* find(std::string_view id) const {
    const auto found = std::ranges::find(m_items, id, &Item::id);
    return found == m_items.end() ? nullptr : &*found;
  }

 private:
  std::vector<Item> m_items;
};

}  // namespace ulp

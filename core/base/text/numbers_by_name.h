#pragma once

#include <cstddef>
#include <memory>
#include <memory_resource>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace ulp {

/// Numbers by name. Names and nodes stand in blocks of memory that are freed as a whole: with
/// hundreds of thousands of names that takes a third of the time of strings of their own.
class NumbersByName {
 public:
  void reserve(std::size_t count) { m_held->numbers->reserve(count); }
  [[nodiscard]] std::size_t size() const { return m_held->numbers->size(); }
  [[nodiscard]] bool contains(std::string_view name) const {
    return m_held->numbers->contains(name);
  }
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const {
    const auto found = m_held->numbers->find(name);
    return found == m_held->numbers->end() ? std::nullopt : std::optional(found->second);
  }
  /// The number under `name`, which is `number` where the name is new, and whether it is.
  std::pair<std::size_t&, bool> insert(std::string_view name, std::size_t number) {
    auto* copy = static_cast<char*>(m_held->memory.allocate(name.size() + 1, 1));
    name.copy(copy, name.size());
    const auto [place, isNew] =
        m_held->numbers->try_emplace(std::string_view(copy, name.size()), number);
    return {place->second, isNew};
  }

 private:
  using Numbers = std::pmr::unordered_map<std::string_view, std::size_t>;
  struct Held {
    std::pmr::monotonic_buffer_resource memory;
    // Goes with the memory that it and all its nodes stand in: nothing in it need be destroyed.
    Numbers* numbers = std::pmr::polymorphic_allocator<>(&memory).new_object<Numbers>();
  };
  // The map points into what stands beside it.
  std::unique_ptr<Held> m_held = std::make_unique<Held>();
};

}  // namespace ulp

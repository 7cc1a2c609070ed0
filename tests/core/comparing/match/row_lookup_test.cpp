#include "core/comparing/match/row_lookup.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/data/dump_builder.h"
#include "tests/support/data/tensor_unit.h"

namespace ulp::analysis {
namespace {

using dumps::Role;

/// A call with rows of these roles and indices.
void addCallOf(test::TensorUnit& unit, std::span<const std::pair<Role, std::string>> rows) {
  unit.entry({.name = "call"});
  for (const auto& [role, index] : rows) {
    unit.row({.name = "row", .role = role, .index = index});
  }
}

class RowLookupTest : public testing::Test {
 protected:
  std::size_t taken(RowLookup& lookup, Role role, const std::string& index) {
    const std::size_t row = lookup.find({.role = role, .index = index}, [this](std::size_t each) {
      ++m_asked;
      return !m_taken.contains(each);
    });
    m_taken.insert(row);
    return row;
  }

  test::TensorUnit m_unit;
  std::set<std::size_t> m_taken;
  std::size_t m_asked = 0;
};

TEST_F(RowLookupTest, FindsByRoleAndIndex) {
  addCallOf(m_unit, {{{Role::Output, "1"}, {Role::Input, "1"}, {Role::Input, "0"}}});
  RowLookup lookup(m_unit, m_unit.entries.front());
  EXPECT_EQ(lookup.find({.role = Role::Input, .index = "1"}), 1U);
  EXPECT_EQ(lookup.find({.role = Role::Output, .index = "1"}), 0U);
  EXPECT_EQ(lookup.find({.role = Role::Output, .index = "2"}), dumps::kNone);
  EXPECT_EQ(lookup.find({.role = Role::Parameter, .index = "1"}), dumps::kNone);
}

TEST_F(RowLookupTest, TheFirstOfARoleMayBeSpelledOtherwise) {
  addCallOf(m_unit, {{{Role::Output, "1"}, {Role::Output, "0"}, {Role::Output, "logits"}}});
  RowLookup lookup(m_unit, m_unit.entries.front());
  EXPECT_EQ(lookup.find({.role = Role::Output, .index = ""}), 1U);
  EXPECT_EQ(lookup.find({.role = Role::Output, .index = "logits"}), 2U)
      << "the same index is first";
  EXPECT_EQ(lookup.sameIndex({.role = Role::Output, .index = ""}), dumps::kNone);
  EXPECT_EQ(lookup.find({.role = Role::Input, .index = ""}), dumps::kNone);
}

TEST_F(RowLookupTest, RowsOfOneIndexAreTakenInTheirOrder) {
  addCallOf(m_unit, {{{Role::Value, "x"}, {Role::Value, "y"}, {Role::Value, "x"}}});
  RowLookup lookup(m_unit, m_unit.entries.front());
  EXPECT_EQ(taken(lookup, Role::Value, "x"), 0U);
  EXPECT_EQ(taken(lookup, Role::Value, "x"), 2U);
  EXPECT_EQ(taken(lookup, Role::Value, "x"), dumps::kNone);
  EXPECT_EQ(taken(lookup, Role::Value, "y"), 1U);
}

TEST_F(RowLookupTest, AnotherEntryTakesThePlaceOfTheFirst) {
  addCallOf(m_unit, {{{Role::Input, "7"}}});
  addCallOf(m_unit, {{{Role::Input, "7"}}});
  RowLookup lookup(m_unit, m_unit.entries[1]);
  EXPECT_EQ(lookup.find({.role = Role::Input, .index = "7"}), 1U);
  lookup.lookAt(m_unit.entries[0]);
  EXPECT_EQ(lookup.find({.role = Role::Input, .index = "7"}), 0U);
}

TEST_F(RowLookupTest, AskedRowsGrowNoFasterThanTheCall) {
  constexpr std::size_t kRows = 5'000;
  std::vector<std::pair<Role, std::string>> rows;
  for (std::size_t i = 0; i < kRows; ++i) {
    rows.emplace_back(Role::Output, i % 2 == 0 ? "same" : std::to_string(i));
    rows.emplace_back(Role::Input, "0");
  }
  addCallOf(m_unit, rows);
  RowLookup lookup(m_unit, m_unit.entries.front());
  for (std::size_t i = 0; i < kRows; ++i) {
    EXPECT_EQ(taken(lookup, Role::Output, i % 2 == 0 ? "same" : std::to_string(i)), 2 * i);
    EXPECT_EQ(taken(lookup, Role::Input, ""), 2 * i + 1);
  }
  EXPECT_LE(m_asked, 4 * kRows);
}

}  // namespace
}  // namespace ulp::analysis

#include "core/tensors/elements/stored_type.h"

#include <array>
#include <utility>

#include <gtest/gtest.h>

#include "tests/support/data/every_dtype.h"

namespace ulp::tensors {
namespace {

TEST(StoredTypeTest, EveryTypeThatIsShownAsItIsHasItsOwnSize) {
  for (const DType dtype : test::kEveryDType) {
    const StoredType& type = storedTypeOf(dtype);
    EXPECT_EQ(type.dtype, dtype) << type.name;
    EXPECT_EQ(type.itemSize, itemSize(dtype)) << type.name;
    EXPECT_EQ(findStoredType(type.name), &type);
  }
}

TEST(StoredTypeTest, WhatIsNotReadTakesTheRoomThatItHasInFiles) {
  // Views on such elements are checked against their storage before they are refused.
  constexpr std::array<std::pair<const char*, std::size_t>, 15> kSizes{{{"uint16", 2},
                                                                        {"uint32", 4},
                                                                        {"uint64", 8},
                                                                        {"float8_e8m0fnu", 1},
                                                                        {"complex32", 4},
                                                                        {"complex64", 8},
                                                                        {"complex128", 16},
                                                                        {"float8_e4m3fnuz", 1},
                                                                        {"float8_e5m2fnuz", 1},
                                                                        {"float4_e2m1fn_x2", 1},
                                                                        {"qint8", 1},
                                                                        {"quint8", 1},
                                                                        {"qint32", 4},
                                                                        {"quint4x2", 1},
                                                                        {"quint2x4", 1}}};
  for (const auto& [name, size] : kSizes) {
    const StoredType* const type = findStoredType(name);
    ASSERT_NE(type, nullptr) << name;
    EXPECT_EQ(type->itemSize, size) << name;
    EXPECT_NE(type->showing, Showing::AsTheyAre) << name;
  }
}

TEST(StoredTypeTest, NothingIsCalledByNoName) {
  EXPECT_EQ(findStoredType("", &StoredType::numpy), nullptr);
  EXPECT_EQ(findStoredType("float33"), nullptr);
  EXPECT_EQ(findStoredType("<f4", &StoredType::numpy)->name, "float32");
}

}  // namespace
}  // namespace ulp::tensors

#include "core/study/schema/schema.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/files/atomic_file.h"
#include "core/study/schema/value_check.h"

namespace ulp::study {
namespace {

TEST(Schema, HasUniqueKeysWithHelp) {
  std::set<std::string_view> paths;
  for (const Key& key : schemaKeys()) {
    EXPECT_TRUE(paths.insert(key.path).second) << key.path;
    EXPECT_FALSE(key.help.empty()) << key.path;
    EXPECT_FALSE(isSection(key.path)) << key.path;
  }
}

TEST(Schema, HasDefaultsThatPassTheirOwnCheck) {
  for (const Key& key : schemaKeys()) {
    if (key.defaultText.empty()) {
      continue;
    }
    const auto node = parseYaml(key.defaultText, "default");
    ASSERT_TRUE(node.has_value()) << key.path;
    const auto value = checkValue(key, *node);
    ASSERT_TRUE(value.has_value()) << key.path << ": " << value.error().message;
    EXPECT_EQ(*value, key.defaultText);
  }
}

TEST(Schema, LetsRunsDifferInFormatsKernelsAndBatchesOnly) {
  const std::set<std::string_view> sections{"precision",
                                            "semantics",
                                            "attention",
                                            "batch",
                                            "norm",
                                            "rotary",
                                            "mlp",
                                            "matmul",
                                            "gradient",
                                            "runtime"};
  for (const Key& key : schemaKeys()) {
    const bool isRun = sections.contains(key.path.substr(0, key.path.find('.'))) ||
                       (key.path.starts_with("python.") && key.path != "python.executable" &&
                        key.path != "python.trust_code");
    EXPECT_EQ(key.scope == KeyScope::Run, isRun) << key.path;
  }
}

TEST(Schema, FindsTheNearestKey) {
  EXPECT_EQ(nearestKey("precision.compute_dtyp"), "precision.compute_dtype");
  EXPECT_EQ(nearestKey("precison.compute_dtype"), "precision.compute_dtype");
  EXPECT_EQ(nearestKey("compute_dtype"), "precision.compute_dtype");
  EXPECT_EQ(nearestKey("outputdir"), "output_dir");
  EXPECT_EQ(nearestKey("zebra"), "");
}

TEST(Schema, KnowsSections) {
  EXPECT_TRUE(isSection("precision"));
  EXPECT_FALSE(isSection("prec"));
  EXPECT_FALSE(isSection("device"));
}

TEST(Schema, FindsTheNearestSection) {
  EXPECT_EQ(nearestSection("modle"), "model");
  EXPECT_EQ(nearestSection("presicion"), "precision");
  EXPECT_EQ(nearestSection("devices"), "");
}

TEST(Schema, HelpNamesEveryKeyWithItsChoices) {
  const std::string help = schemaHelp();
  for (const Key& key : schemaKeys()) {
    EXPECT_THAT(help, testing::HasSubstr(std::string(key.path)));
    for (const std::string_view choice : key.choices) {
      EXPECT_THAT(help, testing::HasSubstr(std::string(choice)));
    }
  }
}

TEST(Schema, StandsInTheManualAsItIs) {
  const auto manual = readTextFile(ULP_SOURCE_DIR "/docs/study.md");
  ASSERT_TRUE(manual.has_value()) << manual.error().message();
  EXPECT_THAT(*manual, testing::HasSubstr(schemaMarkdown()))
      << "paste the output of `ulpscope-cli schema --format md` into docs/study.md";
}

}  // namespace
}  // namespace ulp::study

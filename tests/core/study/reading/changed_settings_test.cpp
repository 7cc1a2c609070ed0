#include "core/study/reading/changed_settings.h"

#include <map>

#include <gtest/gtest.h>

namespace ulp::study {
namespace {

using Recorded = std::map<std::string, std::string, std::less<>>;

std::string changeOf(const std::map<std::string, std::string>& now, const Recorded& recorded) {
  Settings settings;
  for (const auto& [key, value] : now) {
    settings[key] = Setting{.value = value};
  }
  return changedSetting(settings, [&](std::string_view key) -> const std::string* {
    const auto found = recorded.find(key);
    return found == recorded.end() ? nullptr : &found->second;
  });
}

TEST(ChangedSettingsTest, NamesTheFirstKeyWithWhatItWasAndIs) {
  EXPECT_EQ(changeOf({{"input.seed", "2"}, {"loss.kind", "b"}, {"capture.level", "op"}},
                     {{"input.seed", "1"}, {"loss.kind", "a"}, {"capture.level", "op"}}),
            "input.seed was 1, is now 2");
  EXPECT_EQ(changeOf({{"input.seed", "1"}}, {{"input.seed", "1"}}), "");
}

TEST(ChangedSettingsTest, LeavesOutWhatIsNotRecordedAndWhatIsComparedOtherwise) {
  EXPECT_EQ(changeOf({{"input.seed", "2"}}, {}), "");
  const std::map<std::string, std::string> now{{"model.path", "b"},
                                               {"input.path", "b"},
                                               {"device", "b"},
                                               {"output_dir", "b"},
                                               {"noise_floor", "b"}};
  Recorded before;
  for (const auto& [key, value] : now) {
    before[key] = "a";
  }
  EXPECT_EQ(changeOf(now, before), "");
}

TEST(ChangedSettingsTest, TheWholePathOfAFileIsNoOtherOne) {
  const auto change = [](const std::string& before, const std::string& now) {
    return changeOf({{"loss.path", now}}, {{"loss.path", before}});
  };
  EXPECT_EQ(change("old/a.safetensors", "/there/old/a.safetensors"), "");
  EXPECT_EQ(change("/there/old/a.safetensors", "../old/a.safetensors"), "");
  EXPECT_EQ(changeOf({{"python.prepare", "/there/f.py:g"}}, {{"python.prepare", "f.py:g"}}), "");
  EXPECT_EQ(change("there/../a.safetensors", "/here/a.safetensors"), "");
  EXPECT_EQ(change("a.safetensors", "/there/ba.safetensors"),
            "loss.path was a.safetensors, is now /there/ba.safetensors");
  EXPECT_NE(change("/here/a.safetensors", "/there/a.safetensors"), "");
  EXPECT_NE(changeOf({{"input.field", "/a/b"}}, {{"input.field", "b"}}), "");
}

TEST(ChangedSettingsTest, SaysWhatChangedOnceForAllRunsThatShareIt) {
  using Texts = std::vector<std::string>;
  const std::vector<RunChange> changes{{"a", "x was 1, is now 2"},
                                       {"b", "the study no longer has this variant"},
                                       {"c", "x was 1, is now 2"}};
  EXPECT_EQ(changesOnce(changes, 3),
            (Texts{"a, c: x was 1, is now 2", "b: the study no longer has this variant"}));
  EXPECT_EQ(changesOnce({changes[0], changes[2]}, 2), (Texts{"x was 1, is now 2"}));
  EXPECT_EQ(changesOnce({changes[0]}, 1), (Texts{"a: x was 1, is now 2"}));
  EXPECT_EQ(changesOnce({}, 3), Texts());
}

}  // namespace
}  // namespace ulp::study

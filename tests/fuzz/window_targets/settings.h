#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <QtCore/QFile>
#include <QtCore/QSize>

#include "tests/fuzz/fuzz_folder.h"
#include "tests/fuzz/fuzz_input.h"
#include "views/framework/settings/settings_store.h"

namespace ulp::test {

/// The settings file. It is read or set aside, and what is set from then on stays.
inline void fuzzSettings(const std::uint8_t* data, std::size_t size) {
  // Qt remembers files by their names: one that is written again within the same moment would be
  // the old one.
  const FuzzFolder folder;
  const std::string text(fuzzText(data, size));
  folder.write("s.ini", text);
  const auto file = QString::fromStdString((folder.path() / "s.ini").string());
  const views::Setting<int> number{QStringLiteral("a/number"), 7};
  const views::Setting<QStringList> list{QStringLiteral("a/list"), {}};
  const views::Setting<QSize> extent{QStringLiteral("a/size"), QSize(1, 2)};
  QStringList listed;
  {
    views::SettingsStore store(file);
    require(!store.problem() || QFile::exists(file + QStringLiteral(".damaged")));
    static_cast<void>(store.get(number));
    static_cast<void>(store.get(extent));
    listed = store.get(list);
    store.set(number, 9);
  }
  const views::SettingsStore again(file);
  require(!again.problem() && again.get(number) == 9);
  // Of a key that stands there twice, once as "a//list", Qt keeps the first or the last.
  const bool isThereOnce = text.find("list") == text.rfind("list");
  require(!isThereOnce || again.get(list) == listed);
}

}  // namespace ulp::test

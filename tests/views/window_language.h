#pragma once

#include <gtest/gtest.h>

#include <QtCore/QCoreApplication>
#include <QtCore/QTranslator>

namespace ulp::test {

/// A language that the window ships with, "de", while it lives.
class WindowLanguage {
 public:
  explicit WindowLanguage(const QString& language) {
    EXPECT_TRUE(m_translator.load(QStringLiteral(":/translations/ulpscope_") + language));
    QCoreApplication::installTranslator(&m_translator);
  }
  ~WindowLanguage() { QCoreApplication::removeTranslator(&m_translator); }
  WindowLanguage(const WindowLanguage&) = delete;
  WindowLanguage& operator=(const WindowLanguage&) = delete;

  [[nodiscard]] bool has(const char* context, const char* source) const {
    return !m_translator.translate(context, source).isEmpty();
  }

 private:
  QTranslator m_translator;
};

}  // namespace ulp::test

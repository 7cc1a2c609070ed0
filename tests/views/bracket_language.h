#pragma once

#include <QtCore/QCoreApplication>
#include <QtCore/QTranslator>

namespace ulp::test {

/// A language in which every text that is translated stands in brackets, while it
/// lives.
class BracketLanguage : public QTranslator {
 public:
  BracketLanguage() { QCoreApplication::installTranslator(this); }
  ~BracketLanguage() override { QCoreApplication::removeTranslator(this); }
  BracketLanguage(const BracketLanguage&) = delete;
  BracketLanguage& operator=(const BracketLanguage&) = delete;

  [[nodiscard]] bool isEmpty() const override { return false; }
  [[nodiscard]] QString translate(const char* /*context*/,
                                  const char* source,
                                  const char* /*comment*/,
                                  int /*number*/) const override {
    return QStringLiteral("[%1]").arg(QString::fromUtf8(source));
  }
};

}  // namespace ulp::test

#include "app/gui/session/pseudo_translator.h"

#include <algorithm>

namespace ulp::app {
namespace {

constexpr double kGrowth = 0.4;

}  // namespace

QString PseudoTranslator::lengthened(const QString& source) {
  if (source.trimmed().isEmpty()) {
    return source;
  }
  const auto extra = static_cast<qsizetype>(static_cast<double>(source.size()) * kGrowth) - 2;
  return u'[' + source + QString(std::max<qsizetype>(1, extra), u'·') + u']';
}

QString PseudoTranslator::translate(const char* context,
                                    const char* source,
                                    const char* /*disambiguation*/,
                                    int /*n*/) const {
  // Names of keys are put together from many texts.
  const bool isKey = qstrcmp(context, "QShortcut") == 0;
  return isKey ? QString() : lengthened(QString::fromUtf8(source));
}

}  // namespace ulp::app

#pragma once

#include "widgets/time/qt_text.h"

#include <QCoreApplication>

namespace helio {

// For the files of this folder: what they write is no object's, and has one context for translators.

inline QString tr(const char* text) { return QCoreApplication::translate("StateTip", text); }

} // namespace helio

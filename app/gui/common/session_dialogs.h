#pragma once

#include "core/base/result.h"

#include <QString>

class QWidget;

namespace helio {

/// Returns true if the window may be closed: the last session was saved (`saved`), or the user confirms to close it although saving failed.
bool confirmCloseAfter(const Status& saved, QWidget* window);

/// Asks where to save a session, by default in the folder of its first trace. Returns the path; empty if the user cancelled.
QString askSessionPath(QWidget* parent, const QString& title, const QString& firstTrace);

} // namespace helio

#pragma once

class QLabel;
class QString;

namespace helio {

/// Names a label whose text is a value. Screen readers then read the name and the value, for example "Cursor: 12:34:56.789", where a plain
/// accessible name would hide the value.
/// Threads: UI thread.
void setValueName(QLabel& value, const QString& name);

} // namespace helio

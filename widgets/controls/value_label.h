#pragma once

class QLabel;
class QString;
class QWidget;

namespace helio {

/// Names a label whose text is a value. Screen readers then read the name and the value, for example "Cursor: 12:34:56.789", where a plain
/// accessible name would hide the value. If the name is empty, they read only the value.
/// Threads: UI thread.
void setValueName(QLabel& value, const QString& name);

/// Hides a widget from screen readers, because another one has its text as a name, or because it is an ornament. To be called before the
/// widget gets a text or is shown.
/// Threads: UI thread.
void hideFromScreenReaders(QWidget& widget);

} // namespace helio

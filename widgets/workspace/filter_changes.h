#pragma once

#include <QString>

class QLineEdit;

namespace helio {

class ViewContext;

/// Records the changes of a filter field, for undo. Edits until the user leaves the field are one change. Changes of the text by the
/// program are recorded too, unless the history is paused.
/// - `what`: noun for the filtered lines, for example "requests"
/// Ownership: the context outlives the field. Changes that are undone after the field was destroyed have no effect.
/// Threads: UI thread.
void recordFilterChanges(QLineEdit& field, ViewContext& context, const QString& what);

} // namespace helio

#pragma once

#include <QFileDialog>

namespace helio {

/// Asks which traces to open: files or folders that contain traces. Choosing such a folder opens it instead of showing its contents.
class OpenDialog : public QFileDialog {
    Q_OBJECT

public:
    OpenDialog(const QString& title, QWidget* parent);

    /// Shows the dialog and returns the chosen paths; empty if the user cancelled.
    static QStringList ask(const QString& title, QWidget* parent);

    QStringList traces() const { return m_traces; }

protected:
    void accept() override;

private:
    QStringList m_traces;
};

/// Whether a trace lies in the folder, or at most four folders below it, as those of an LTTng session do. Looks at a thousand entries at
/// most.
bool holdsTrace(const QString& folder);

} // namespace helio

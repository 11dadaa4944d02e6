#pragma once

#include <QFileDialog>

namespace helio {

/// Dialog to choose traces: files, or folders that contain traces. Choosing a folder with traces accepts the dialog instead of showing the
/// folder's contents.
class OpenDialog : public QFileDialog {
    Q_OBJECT

public:
    /// Creates a dialog that starts in folderToOpen().
    OpenDialog(const QString& title, QWidget* parent);

    /// Shows the dialog and returns the chosen paths; empty if the user cancelled.
    static QStringList ask(const QString& title, QWidget* parent);

    QStringList traces() const { return m_traces; }

protected:
    void accept() override;

private:
    QStringList m_traces;
};

/// True if the folder contains a trace, at most six levels of folders below, as in LTTng sessions. Checks only the first `metadata` file
/// found.
/// Cost: reads at most 1,000 directory entries.
bool containsTrace(const QString& folder);

} // namespace helio

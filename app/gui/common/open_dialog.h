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

/// True if the folder contains a trace, at most six levels of folders below it, as in sessions of LTTng. Checks the first `metadata`
/// file that it finds. Cost: reads at most 1,000 directory entries.
bool containsTrace(const QString& folder);

} // namespace helio

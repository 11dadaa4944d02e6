#pragma once

#include "core/experiment/experiment.h"

#include <QDialog>

class QCheckBox;
class QLineEdit;
class QListWidget;

namespace helio {

/// Returns the user's symbol options, which are stored between runs.
SymbolOptions savedSymbols();
void saveSymbols(const SymbolOptions& symbols);

/// Returns `given` with the symbol options of `others` added. Folders of `others` are appended to the folders of `given`; every other
/// option is taken from `others` only if `given` does not set it.
ExperimentOptions withSymbols(ExperimentOptions given, const SymbolOptions& others);

/// Adds the saved symbol options to `given`, like withSymbols().
ExperimentOptions withSavedSymbols(ExperimentOptions given);

/// Dialog for the locations of symbols: folders, the files of the recorded machine, the symbols of its kernel, and whether debuginfod
/// servers may be queried.
class SymbolsDialog : public QDialog {
    Q_OBJECT

public:
    explicit SymbolsDialog(const SymbolOptions& symbols, QWidget* parent = nullptr);

    SymbolOptions symbols() const;

    /// Shows the dialog over the window and saves the options. Returns false if the user cancelled.
    static bool ask(QWidget& window);

private:
    QLineEdit* addPath(const QString& name, const QString& hint, const std::filesystem::path& path, bool isFolder);

    QListWidget* m_folders;
    QLineEdit* m_sysroot;
    QLineEdit* m_kallsyms;
    QLineEdit* m_guestKallsyms;
    bool m_agreed;
    QCheckBox* m_debuginfod;
};

} // namespace helio

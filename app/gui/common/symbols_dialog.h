#pragma once

#include "core/experiment/experiment.h"

#include <QDialog>

class QCheckBox;
class QLineEdit;
class QListWidget;

namespace helio {

/// Where symbols are looked for, as a person set it: kept between runs.
SymbolOptions savedSymbols();
void saveSymbols(const SymbolOptions& symbols);

/// Completes `given` with `others`: folders of both, given ones first; other options of `others` apply where `given` has none.
ExperimentOptions withSymbols(ExperimentOptions given, const SymbolOptions& others);

/// What was given and then what is saved: folders of both, given ones first; of the rest what was given, if anything.
ExperimentOptions withSavedSymbols(ExperimentOptions given);

/// Asks where symbols lie: folders, the recorded machine's files, its kernel's symbols, and whether servers may be asked.
class SymbolsDialog : public QDialog {
    Q_OBJECT

public:
    explicit SymbolsDialog(const SymbolOptions& symbols, QWidget* parent = nullptr);

    SymbolOptions symbols() const;

    /// Asks over the window and saves the answer. False: everything stays as it was.
    static bool ask(QWidget& window);

private:
    QLineEdit* addPath(const QString& name, const QString& hint, const std::filesystem::path& path, bool isFolder);

    QListWidget* m_folders;
    QLineEdit* m_sysroot;
    QLineEdit* m_kallsyms;
    bool m_agreed;
    QCheckBox* m_debuginfod;
};

} // namespace helio

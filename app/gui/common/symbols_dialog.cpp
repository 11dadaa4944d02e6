#include "app/gui/common/symbols_dialog.h"

#include "app/gui/common/file_dialogs.h"
#include "widgets/controls/field_grid.h"
#include "widgets/controls/hinted_list.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace helio {

namespace {

QString textOf(const std::filesystem::path& path) { return QString::fromStdString(path.string()); }
std::filesystem::path pathOf(const QString& text) { return text.trimmed().toStdString(); }
bool hasServers() { return !qEnvironmentVariableIsEmpty("DEBUGINFOD_URLS"); }

} // namespace

SymbolOptions savedSymbols()
{
    const QSettings store;
    SymbolOptions symbols;
    for (const QString& folder : store.value("symbols/folders").toStringList())
        symbols.directories.push_back(pathOf(folder));
    symbols.sysroot = pathOf(store.value("symbols/sysroot").toString());
    symbols.kallsyms = pathOf(store.value("symbols/kallsyms").toString());
    symbols.guestKallsyms = pathOf(store.value("symbols/guestKallsyms").toString());
    symbols.usesDebuginfod = store.value("symbols/debuginfod", false).toBool();
    return symbols;
}

void saveSymbols(const SymbolOptions& symbols)
{
    QSettings store;
    QStringList folders;
    for (const auto& folder : symbols.directories)
        folders << textOf(folder);
    store.setValue("symbols/folders", folders);
    store.setValue("symbols/sysroot", textOf(symbols.sysroot));
    store.setValue("symbols/kallsyms", textOf(symbols.kallsyms));
    store.setValue("symbols/guestKallsyms", textOf(symbols.guestKallsyms));
    store.setValue("symbols/debuginfod", symbols.usesDebuginfod);
}

ExperimentOptions withSymbols(ExperimentOptions given, const SymbolOptions& others)
{
    SymbolOptions& symbols = given.symbols;
    for (const auto& folder : others.directories)
        if (std::ranges::find(symbols.directories, folder) == symbols.directories.end())
            symbols.directories.push_back(folder);
    if (symbols.sysroot.empty())
        symbols.sysroot = others.sysroot;
    if (symbols.kallsyms.empty())
        symbols.kallsyms = others.kallsyms;
    if (symbols.guestKallsyms.empty())
        symbols.guestKallsyms = others.guestKallsyms;
    symbols.usesDebuginfod = symbols.usesDebuginfod || (others.usesDebuginfod && hasServers());
    return given;
}

ExperimentOptions withSavedSymbols(ExperimentOptions given) { return withSymbols(std::move(given), savedSymbols()); }

SymbolsDialog::SymbolsDialog(const SymbolOptions& symbols, QWidget* parent)
    : QDialog(parent)
    , m_folders(new HintedList(tr("No folders. Using the recorded paths and /usr/lib/debug.")))
    , m_agreed(symbols.usesDebuginfod)
    , m_debuginfod(new QCheckBox(tr("Download missing symbols via debuginfod")))
{
    setWindowTitle(tr("Symbol paths"));
    resize(620, 440);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(6);
    layout->addWidget(
        makeLabel(tr("Folders with binaries and debug information, searched by build ID, then by name:"), 11.5, 400, "text.secondary"));
    m_folders->setAccessibleName(tr("Symbol folders"));
    for (const auto& folder : symbols.directories)
        m_folders->addItem(textOf(folder));
    layout->addWidget(m_folders, 1);
    auto* buttons = new QHBoxLayout;
    auto* add = new QPushButton(tr("Add folder\u2026"));
    connect(add, &QPushButton::clicked, this, [this] {
        if (const QString folder = askOpenFolder(this, tr("Choose a folder with symbols")); !folder.isEmpty())
            m_folders->addItem(folder);
    });
    auto* remove = new QPushButton(tr("Remove"));
    connect(remove, &QPushButton::clicked, this, [this] { delete m_folders->takeItem(m_folders->currentRow()); });
    for (QPushButton* button : {add, remove}) {
        button->setAutoDefault(false);
        buttons->addWidget(button);
    }
    buttons->addStretch(1);
    layout->addLayout(buttons);
    m_sysroot = addPath(tr("Sysroot"), tr("prefix for recorded paths; empty for this machine"), symbols.sysroot, true);
    m_kallsyms = addPath(tr("Recorded kernel's symbols"), tr("copy of its /proc/kallsyms, saved as root"), symbols.kallsyms, false);
    m_guestKallsyms = addPath(tr("Guest kernel's symbols"), tr("copy of the guest's /proc/kallsyms"), symbols.guestKallsyms, false);
    m_debuginfod->setChecked(symbols.usesDebuginfod && hasServers());
    m_debuginfod->setEnabled(hasServers());
    m_debuginfod->setToolTip(hasServers()
                                 ? tr("These servers learn which binaries you inspect: %1").arg(qEnvironmentVariable("DEBUGINFOD_URLS"))
                                 : tr("DEBUGINFOD_URLS is not set"));
    layout->addWidget(m_debuginfod);
    auto* box = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    connect(box, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(box, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout->addWidget(box);
}

QLineEdit* SymbolsDialog::addPath(const QString& name, const QString& hint, const std::filesystem::path& path, bool isFolder)
{
    auto* lines = static_cast<QVBoxLayout*>(layout());
    lines->addWidget(makeLabel(tr("%1 (%2):").arg(name, hint), 11.5, 400, "text.secondary"));
    auto* line = new QHBoxLayout;
    auto* field = new QLineEdit(textOf(path));
    field->setAccessibleName(name);
    auto* choose = new QPushButton(tr("Choose\u2026"));
    choose->setAutoDefault(false);
    choose->setAccessibleName(tr("Choose %1").arg(name));
    connect(choose, &QPushButton::clicked, this, [this, field, name, isFolder] {
        const QString chosen = isFolder ? askOpenFolder(this, name) : askOpenFile(this, name);
        if (!chosen.isEmpty())
            field->setText(chosen);
    });
    line->addWidget(field, 1);
    line->addWidget(choose);
    lines->addLayout(line);
    return field;
}

bool SymbolsDialog::ask(QWidget& window)
{
    SymbolsDialog dialog(savedSymbols(), &window);
    if (dialog.exec() != QDialog::Accepted)
        return false;
    saveSymbols(dialog.symbols());
    return true;
}

SymbolOptions SymbolsDialog::symbols() const
{
    SymbolOptions symbols;
    for (int i = 0; i < m_folders->count(); ++i)
        symbols.directories.push_back(pathOf(m_folders->item(i)->text()));
    symbols.sysroot = pathOf(m_sysroot->text());
    symbols.kallsyms = pathOf(m_kallsyms->text());
    symbols.guestKallsyms = pathOf(m_guestKallsyms->text());
    // If no debuginfod servers are configured, the check box is disabled: keep the user's earlier choice.
    symbols.usesDebuginfod = hasServers() ? m_debuginfod->isChecked() : m_agreed;
    return symbols;
}

} // namespace helio

#include "widgets/profiling/source_paths_dialog.h"

#include "widgets/code/source_settings.h"
#include "widgets/controls/field_grid.h"
#include "widgets/controls/hinted_list.h"

#include <QDialogButtonBox>
#include <QFileInfo>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace helio {

SourcePathsDialog::SourcePathsDialog(ViewContext& context, const SourceText& missing, QWidget* parent)
    : QDialog(parent)
    , m_context(context)
    , m_missing(missing)
    , m_paths(savedSourcePaths())
    , m_list(new HintedList(tr("No mappings. Using the paths in the debug info.")))
    , m_editor(new QLineEdit(savedEditor()))
{
    setWindowTitle(tr("Source paths"));
    resize(620, 420);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(8);
    const bool isMissing = !missing.recorded.empty() && missing.file.empty();
    const QString recorded = QString::fromStdString(missing.recorded);
    if (isMissing) {
        layout->addWidget(makeLabel(tr("%1 was not found.").arg(recorded), 12, 600, "text.primary"));
        QStringList looked;
        for (const auto& place : missing.looked)
            looked << QString::fromStdString(place.string());
        auto* where = makeLabel(tr("Searched:\n%1").arg(looked.join('\n')), 11.5, 400, "text.secondary");
        where->setTextInteractionFlags(Qt::TextSelectableByMouse);
        where->setWordWrap(true);
        layout->addWidget(where);
    }
    layout->addWidget(makeLabel(tr("Recorded folders with their local replacements, and folders to search:"), 11.5, 400, "text.secondary"));
    layout->addWidget(m_list, 1);
    m_list->setAccessibleName(tr("Source paths"));
    auto* buttons = new QHBoxLayout;
    const auto add = [&](const QString& text, void (SourcePathsDialog::*run)()) {
        auto* button = new QPushButton(text);
        button->setAutoDefault(false);
        connect(button, &QPushButton::clicked, this, run);
        buttons->addWidget(button);
    };
    if (!missing.recorded.empty())
        add(tr("Locate %1\u2026").arg(QFileInfo(recorded).fileName()), &SourcePathsDialog::locate);
    add(tr("Add folder to search\u2026"), &SourcePathsDialog::addFolder);
    add(tr("Remove"), &SourcePathsDialog::removeChosen);
    buttons->addStretch(1);
    layout->addLayout(buttons);
    layout->addSpacing(6);
    layout->addWidget(
        makeLabel(tr("Editor: %f is the file, %l the line. Empty: $VISUAL, $EDITOR or the desktop's."), 11.5, 400, "text.secondary"));
    m_editor->setPlaceholderText("kate --line %l %f");
    m_editor->setAccessibleName(tr("Editor"));
    layout->addWidget(m_editor);
    auto* box = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    connect(box, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(box, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout->addWidget(box);
    fill();
}

QString SourcePathsDialog::editor() const { return m_editor->text().trimmed(); }

void SourcePathsDialog::fill()
{
    m_list->clear();
    for (const auto& it : m_paths.mappings)
        m_list->addItem(QString::fromStdString(it.recorded) + QStringLiteral("  \u2192  ") + QString::fromStdString(it.local.string()));
    for (const auto& it : m_paths.directories)
        m_list->addItem(QString::fromStdString(it.string()));
}

void SourcePathsDialog::locate()
{
    const QString name = QFileInfo(QString::fromStdString(m_missing.recorded)).fileName();
    const QString file =
        m_context.askFile(tr("Where is %1?").arg(name), QStringLiteral("%1 (%1);;%2 (*)").arg(name, tr("All files")), false);
    if (file.isEmpty())
        return;
    m_paths.mappings.insert(m_paths.mappings.begin(), SourcePaths::mappingFor(m_missing.recorded, file.toStdString()));
    fill();
}

void SourcePathsDialog::addFolder()
{
    const QString folder = m_context.askFile(tr("Choose a folder of sources"), {}, true);
    if (folder.isEmpty())
        return;
    m_paths.directories.emplace_back(folder.toStdString());
    fill();
}

void SourcePathsDialog::removeChosen()
{
    const int row = m_list->currentRow();
    const int mappings = int(m_paths.mappings.size());
    if (row < 0)
        return;
    if (row < mappings)
        m_paths.mappings.erase(m_paths.mappings.begin() + row);
    else
        m_paths.directories.erase(m_paths.directories.begin() + (row - mappings));
    fill();
}

} // namespace helio

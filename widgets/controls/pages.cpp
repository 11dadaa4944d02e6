#include "widgets/controls/pages.h"

#include "widgets/controls/field_grid.h"
#include "widgets/controls/icons.h"
#include "widgets/controls/record_requests.h"
#include "widgets/controls/value_label.h"
#include "widgets/theme/themes.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace helio {

EmptyPage::EmptyPage(QWidget* parent)
    : QWidget(parent)
    , m_what(makeLabel({}, 12, 400, "text.secondary"))
    , m_how(makeLabel({}, 12, 400, "text.secondary"))
    , m_button(new QPushButton)
    , m_buttons(new QHBoxLayout)
    , m_record(new QPushButton(tr("Record\u2026")))
    , m_heading(makeLabel({}, 10.5, 500, "text.hint"))
    , m_list(new QWidget)
    , m_rows(new QVBoxLayout(m_list))
{
    setAutoFillBackground(true);
    setFocusPolicy(Qt::StrongFocus);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 20, 20, 20);
    layout->setSpacing(8);
    layout->addStretch(2);
    for (QLabel* label : {m_what, m_how, m_heading}) {
        label->setAlignment(Qt::AlignCenter);
        label->setTextFormat(Qt::PlainText); // Text from files may contain tags, which must not be parsed.
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    for (QLabel* label : {m_what, m_how}) // They are the name and the description of the page.
        hideFromScreenReaders(*label);
    layout->addWidget(m_what);
    layout->addWidget(m_how);
    layout->addSpacing(6);
    m_buttons->setSpacing(8);
    m_buttons->addWidget(m_button);
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    line->addLayout(m_buttons);
    line->addWidget(m_record);
    layout->addLayout(line);
    layout->setAlignment(line, Qt::AlignHCenter);
    m_button->setDefault(true);
    layout->addSpacing(14);
    layout->addWidget(m_heading);
    layout->addWidget(m_list, 0, Qt::AlignHCenter);
    layout->addStretch(3);
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setSpacing(2);
    m_record->setAutoDefault(false);
    m_record->setToolTip(tr("Record what is missing here"));
    connect(m_record, &QPushButton::clicked, this, [this] { RecordRequests::instance().request(m_preset, this); });
    setText({});
    setButton({});
    setChoices({}, {});
    connect(m_button, &QPushButton::clicked, this, &EmptyPage::buttonClicked);
    connect(&Themes::instance(), &Themes::changed, this, &EmptyPage::updateLook);
    updateLook();
}

void EmptyPage::setInDock()
{
    m_ground = "surface.panel";
    m_list->hide();
    auto* lines = static_cast<QVBoxLayout*>(layout());
    lines->setContentsMargins(8, 2, 8, 2);
    lines->setSpacing(2);
    for (int i = 0; i < lines->count(); ++i)
        if (QSpacerItem* space = lines->itemAt(i)->spacerItem(); space && space->sizeHint().height() > 0)
            space->changeSize(0, 2);
    lines->invalidate();
    updateLook();
}

void EmptyPage::setText(const QString& what, const QString& how)
{
    m_what->setText(what);
    m_how->setText(how);
    m_how->setVisible(!how.isEmpty());
    setAccessibleName(what);
    setAccessibleDescription(how);
    m_preset = how.isEmpty() ? QString() : RecordRequests::presetFor(how);
    m_record->setVisible(!m_preset.isEmpty());
}

void EmptyPage::setButton(const QString& text)
{
    m_button->setText(text);
    m_button->setVisible(!text.isEmpty());
}

void EmptyPage::setFurtherButtons(const QStringList& texts)
{
    while (m_buttons->count() > 1) {
        QLayoutItem* item = m_buttons->takeAt(1);
        item->widget()->deleteLater(); // Deleted later, because it may be the button that was clicked.
        item->widget()->hide();
        delete item;
    }
    for (const QString& text : texts) {
        auto* button = new QPushButton(text);
        button->setAutoDefault(false);
        m_buttons->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, text] { emit furtherClicked(text); });
    }
}

void EmptyPage::setChoices(const QString& heading, const std::vector<Choice>& choices)
{
    m_heading->setText(heading);
    m_heading->setVisible(!choices.empty());
    qDeleteAll(m_list->findChildren<QToolButton*>(Qt::FindDirectChildrenOnly));
    for (const auto& [name, path, place] : choices) {
        auto* row = new QToolButton(m_list);
        row->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        row->setText(name + QStringLiteral("    ") + (place.isEmpty() ? QFileInfo(path).path() : place));
        row->setToolTip(path);
        row->setAccessibleName(tr("Open %1").arg(path));
        row->setFocusPolicy(Qt::StrongFocus);
        row->setCursor(Qt::PointingHandCursor);
        m_rows->addWidget(row);
        connect(row, &QToolButton::clicked, this, [this, path = path] { emit chosen(path); });
    }
    m_list->setVisible(!choices.empty());
    updateLook();
}

void EmptyPage::updateLook()
{
    QPalette p = palette();
    p.setColor(QPalette::Window, theme().color(m_ground));
    setPalette(p);
    for (auto* row : m_list->findChildren<QToolButton*>(Qt::FindDirectChildrenOnly)) {
        row->setFont(fonts().detail());
        row->setIcon(themedIcon("clock"));
    }
}

} // namespace helio

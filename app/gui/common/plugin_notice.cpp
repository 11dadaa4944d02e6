#include "app/gui/common/plugin_notice.h"

#include "widgets/theme/themes.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

#include <algorithm>

namespace helio {

namespace {

QString nameOf(const PluginInfo& plugin) { return QString::fromStdString(plugin.file.filename().string()).toHtmlEscaped(); }

/// Returns the key by which m_putOff contains a plug-in: the hash of the file's content, and the path.
QString keyOf(const PluginInfo& plugin) { return QString::fromStdString(plugin.hash + ' ' + plugin.file.string()); }

QString sizeText(std::uint64_t bytes)
{
    return bytes < 1024 ? PluginNotice::tr("%1 bytes").arg(bytes) : PluginNotice::tr("%1 KiB").arg((bytes + 1023) / 1024);
}

/// Returns the reason for the plug-in's state as a clause, in HTML.
QString clause(const PluginInfo& plugin) { return QString::fromStdString(plugin.reason).toHtmlEscaped(); }

} // namespace

PluginNotice::PluginNotice(Plugins& plugins, QWidget* parent)
    : PanelGround(parent)
    , m_plugins(plugins)
    , m_text(makeLabel({}, 12, 400, "text.primary"))
    , m_facts(makeLabel({}, 11, 400, "text.secondary"))
    , m_allow(new QPushButton)
    , m_never(new QPushButton(tr("Never")))
    , m_later(new QPushButton)
{
    setAccessibleName(tr("Plug-ins"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(14, 8, 10, 9);
    layout->setSpacing(6);
    auto* lines = new QVBoxLayout;
    lines->setSpacing(2);
    for (QLabel* label : {m_text, m_facts}) {
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->setWordWrap(true);
        label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        lines->addWidget(label);
    }
    m_text->setTextFormat(Qt::RichText);
    m_facts->setTextFormat(Qt::PlainText);
    layout->addLayout(lines, 1);
    layout->addSpacing(10);
    m_never->setToolTip(tr("Never load this file, even if it changes"));
    // Make no button the default button, so that Enter does not load a plug-in by accident.
    for (QPushButton* button : {m_allow, m_never, m_later})
        layout->addWidget(button, 0, Qt::AlignTop);
    connect(m_allow, &QPushButton::clicked, this, &PluginNotice::allow);
    connect(m_never, &QPushButton::clicked, this, &PluginNotice::forbid);
    connect(m_later, &QPushButton::clicked, this, &PluginNotice::putOff);
    connect(&Themes::instance(), &Themes::changed, this, qOverload<>(&QWidget::update));
    hide();
}

bool PluginNotice::needsNotice(const PluginInfo& plugin)
{
    return plugin.state != PluginState::Loaded && plugin.state != PluginState::Forbidden && plugin.state != PluginState::Allowed;
}

QString PluginNotice::questionOf(const PluginInfo& plugin)
{
    const QString what = plugin.state == PluginState::Changed
        ? tr("The plug-in <b>%1</b> has changed since your decision. Load this version now and in future?")
        : plugin.state == PluginState::Forbidden ? tr("The plug-in <b>%1</b> is forbidden. Load it anyway, now and in future?")
                                                 : tr("New plug-in: <b>%1</b>. Load it now and in future?");
    return what.arg(nameOf(plugin)) + ' '
        + tr("It is native code with your permissions (files, network). You will be asked again if it changes.");
}

QString PluginNotice::refusalOf(const PluginInfo& plugin)
{
    return tr("The plug-in <b>%1</b> was not loaded: %2.").arg(nameOf(plugin), clause(plugin));
}

void PluginNotice::look()
{
    const auto found = m_plugins.found();
    const auto isOpen = [&](const PluginInfo& plugin) { return needsNotice(plugin) && !m_putOff.contains(keyOf(plugin)); };
    const auto next = std::ranges::find_if(found, isOpen);
    setVisible(next != found.end());
    if (next != found.end())
        present(*next);
}

void PluginNotice::ask(const std::filesystem::path& file)
{
    const auto found = m_plugins.found();
    const auto it = std::ranges::find(found, file, &PluginInfo::file);
    if (it == found.end() || it->state == PluginState::Loaded)
        return look();
    present(*it);
    show();
}

void PluginNotice::present(const PluginInfo& plugin)
{
    const bool asks = needsUserDecision(plugin.state) || plugin.state == PluginState::Forbidden;
    m_shown = plugin;
    m_text->setText(asks ? questionOf(plugin) : refusalOf(plugin));
    m_facts->setText(tr("%1, %2\nSHA-256 %3")
                         .arg(QString::fromStdString(plugin.file.string()), sizeText(plugin.size), QString::fromStdString(plugin.hash)));
    m_allow->setText(asks ? tr("Allow") : tr("Try again"));
    m_allow->setVisible(plugin.state != PluginState::Unsafe);
    m_later->setText(asks ? tr("Not now") : tr("Close"));
    m_later->setToolTip(tr("Do not load it; this notice returns at the next start"));
    setAccessibleDescription(m_text->text());
}

void PluginNotice::allow()
{
    const bool isLoaded = bool(m_plugins.allow(m_shown.file)); // Do not handle a failure here: look() reports it.
    look();
    if (isLoaded)
        emit loaded();
}

void PluginNotice::forbid()
{
    if (!m_plugins.forbid(m_shown.file))
        return putOff(); // The decision could not be stored, so put off the question as with "Not now".
    look();
    emit forbidden();
}

void PluginNotice::putOff()
{
    m_putOff << keyOf(m_shown);
    look();
}

void PluginNotice::paintEvent(QPaintEvent* event)
{
    PanelGround::paintEvent(event);
    QPainter(this).fillRect(QRect(0, height() - 1, width(), 1), theme().color("line.subtle"));
}

} // namespace helio

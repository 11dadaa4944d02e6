#include "app/gui/common/guide_browser.h"

#include "app/gui/common/markdown_style.h"
#include "widgets/theme/themes.h"

#include <QFile>
#include <QPaintEvent>
#include <QPainter>
#include <QPixmap>
#include <QScrollBar>

namespace helio {

namespace {

constexpr int PageMargin = 18;

/// File of an image in the current theme.
QString themedImage(const QString& path)
{
    const QString light = QStringLiteral("-light.png");
    const QString any = path.endsWith(light) ? path.chopped(light.size()) + QStringLiteral(".png") : path;
    const QString themed = theme().isDark() ? any : any.chopped(4) + light;
    return any.endsWith(QStringLiteral(".png")) && QFile::exists(themed) ? themed : path;
}

} // namespace

QString readGuidePage(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

GuideBrowser::GuideBrowser(const QString& folder)
    : m_folder(folder)
{
    setOpenLinks(false);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // Lines are wrapped; tables are a pixel wider by rounding.
    document()->setDocumentMargin(PageMargin);
    connect(this, &QTextBrowser::sourceChanged, this, [this](const QUrl& page) {
        styleMarkdown(*document());
        if (page.hasFragment())
            scrollToAnchor(page.fragment()); // QTextBrowser looks for the anchor before styleMarkdown() makes it.
    });
}

QVariant GuideBrowser::loadResource(int type, const QUrl& name)
{
    // source() is still the previous page while a page is loaded.
    const QString path = QUrl::fromLocalFile(m_folder + '/').resolved(name).toLocalFile();
    if (type == QTextDocument::MarkdownResource)
        return readGuidePage(path);
    if (type != QTextDocument::ImageResource)
        return QTextBrowser::loadResource(type, name);
    const QPixmap image(themedImage(path));
    const int room = viewport()->width() - 2 * PageMargin - 12;
    return image.width() > room && room > 0 ? image.scaledToWidth(room, Qt::SmoothTransformation) : image;
}

QUrl GuideBrowser::resolvedLink(const QUrl& link) const
{
    return (source().isEmpty() ? QUrl::fromLocalFile(m_folder + '/') : source()).resolved(link);
}

void GuideBrowser::restyle()
{
    const int scrolled = verticalScrollBar()->value();
    reload();
    verticalScrollBar()->setValue(scrolled);
}

void GuideBrowser::paintEvent(QPaintEvent* event)
{
    {
        QPainter painter(viewport());
        const QPoint scrolled(horizontalScrollBar()->value(), verticalScrollBar()->value());
        painter.translate(-scrolled);
        paintCodeBackgrounds(painter, *document(), event->rect().translated(scrolled));
    }
    QTextBrowser::paintEvent(event);
}

} // namespace helio

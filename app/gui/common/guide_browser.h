#pragma once

#include <QString>
#include <QTextBrowser>

namespace helio {

/// Text of a page, a Markdown file in UTF-8; empty if it cannot be read.
QString readGuidePage(const QString& path);

/// Shows the Markdown pages of a folder in the colours of the theme. Headings are anchors, named as code hosts name them: "Open a trace" is
/// `open-a-trace`. Images are at most as wide as the browser. An image `x-light.png` beside `x.png` replaces it in the light theme,
/// whichever of the two the page names. Links are not followed: the owner connects anchorClicked(). UI thread.
class GuideBrowser : public QTextBrowser {
public:
    explicit GuideBrowser(const QString& folder);

    QVariant loadResource(int type, const QUrl& name) override;

    /// URL of a link that stands in the current page: `page.md`, `page.md#heading`, `#heading`, or an address elsewhere.
    QUrl resolvedLink(const QUrl& link) const;
    /// Loads the page again in the colours of the current theme; the scroll position stays.
    void restyle();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_folder;
};

} // namespace helio

#pragma once

#include "widgets/code/code_tokenizer.h"

namespace helio {

/// Finds the coloured ranges of XML, line by line from the first, because comments may span lines. Names of elements are keywords. It knows
/// no grammar: a mistake gives a wrong colour, but never changes the text.
class XmlTokenizer {
public:
    std::vector<CodeToken> read(const QString& line);

private:
    bool m_isInComment = false;
};

} // namespace helio

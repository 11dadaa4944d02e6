#include "widgets/compare/flame/match_shares.h"

#include "widgets/compare/difference/difference_model.h"

namespace helio {

QString matchShares(const DifferenceTree& tree, const FunctionMatcher& matches)
{
    const ComparedSum sum = sumOfMatches(tree, matches);
    const auto share = [](double part, double of) { return of > 0 ? QString::number(100 * part / of, 'f', 1) : QStringLiteral("\u2013"); };
    return DifferenceModel::tr("%1 % of A, %2 % of B")
        .arg(share(sum.scaledA(tree.scale), tree.whole.scaledA(tree.scale)),
             share(sum.scaledB(tree.scale), tree.whole.scaledB(tree.scale)));
}

} // namespace helio

"""Mail providers: which spellings of an address reach the same mailbox, provider by provider, as data."""

from __future__ import annotations

from authguard.identity.email_rules import ProviderRule


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_YAHOO = _words("""
myyahoo.com y7mail.com yahoo.at yahoo.be yahoo.bg yahoo.ca yahoo.cl yahoo.co.id yahoo.co.il yahoo.co.in
yahoo.co.kr yahoo.co.nz yahoo.co.th yahoo.co.uk yahoo.co.za yahoo.com yahoo.com.ar yahoo.com.au yahoo.com.br
yahoo.com.co yahoo.com.hk yahoo.com.hr yahoo.com.mx yahoo.com.my yahoo.com.pe yahoo.com.ph yahoo.com.sg
yahoo.com.tr yahoo.com.tw yahoo.com.ua yahoo.com.ve yahoo.com.vn yahoo.cz yahoo.de yahoo.dk yahoo.ee yahoo.es
yahoo.fi yahoo.fr yahoo.gr yahoo.hu yahoo.ie yahoo.in yahoo.it yahoo.lt yahoo.lv yahoo.nl yahoo.no yahoo.pl
yahoo.pt yahoo.ro yahoo.se yahoo.sk ymail.com
""")

_MICROSOFT = _words("""
hotmail.at hotmail.be hotmail.ca hotmail.cl hotmail.co.il hotmail.co.nz hotmail.co.th hotmail.co.uk hotmail.com
hotmail.com.ar hotmail.com.au hotmail.com.br hotmail.com.gr hotmail.com.mx hotmail.com.pe hotmail.com.tr
hotmail.com.vn hotmail.cz hotmail.de hotmail.dk hotmail.es hotmail.fr hotmail.hu hotmail.id hotmail.ie
hotmail.in hotmail.it hotmail.jp hotmail.kr hotmail.lv hotmail.my hotmail.nl hotmail.no hotmail.ph hotmail.pt
hotmail.sa hotmail.se hotmail.sg hotmail.sk live.at live.be live.ca live.cl live.cn live.co.kr live.co.uk
live.co.za live.com live.com.ar live.com.au live.com.mx live.com.my live.com.pt live.com.sg live.de live.dk
live.es live.eu live.fi live.fr live.hk live.ie live.in live.it live.jp live.nl live.no live.ph live.ru live.se
msn.com outlook.at outlook.be outlook.cl outlook.co.id outlook.co.il outlook.co.nz outlook.co.th outlook.com
outlook.com.ar outlook.com.au outlook.com.br outlook.com.gr outlook.com.pe outlook.com.tr outlook.com.vn
outlook.cz outlook.de outlook.dk outlook.es outlook.fr outlook.hu outlook.ie outlook.in outlook.it outlook.jp
outlook.kr outlook.lv outlook.my outlook.ph outlook.pt outlook.sa outlook.sg outlook.sk passport.com
windowslive.com
""")

_FASTMAIL = _words("""
123mail.org 150mail.com 150ml.com 16mail.com 2-mail.com 4email.net 50mail.com airpost.net allmail.net
bestmail.us cluemail.com elitemail.org emailcorner.net emailengine.net emailengine.org emailgroups.net
emailplus.org emailuser.net eml.cc f-m.fm fast-email.com fast-mail.org fastem.com fastemail.us fastemailer.com
fastest.cc fastimap.com fastmail.cn fastmail.co.uk fastmail.com fastmail.com.au fastmail.de fastmail.es
fastmail.fm fastmail.fr fastmail.im fastmail.in fastmail.jp fastmail.mx fastmail.net fastmail.nl fastmail.org
fastmail.se fastmail.to fastmail.tw fastmail.uk fastmail.us fastmailbox.net fastmessaging.com fea.st fmail.co.uk
fmailbox.com fmgirl.com fmguy.com ftml.net h-mail.us hailmail.net imap-mail.com imap.cc imapmail.org
inoutbox.com internet-e-mail.com internet-mail.org internetemails.net internetmailing.net jetemail.net
justemail.net letterboxes.org mail-central.com mail-page.com mailandftp.com mailas.com mailbolt.com mailc.net
mailcan.com mailforce.net mailftp.com mailhaven.com mailingaddress.org mailite.com mailmight.com mailnew.com
mailsent.net mailservice.ms mailup.net mailworks.org ml1.net mm.st myfastmail.com mymacmail.com nospammail.net
ownmail.net petml.com postinbox.com postpro.net proinbox.com promessage.com realemail.net reallyfast.biz
reallyfast.info rushpost.com sent.as sent.at sent.com speedpost.net speedymail.org ssl-mail.com swift-mail.com
the-fastest.net the-quickest.com theinternetemail.com veryfast.biz veryspeedy.net warpmail.net xsmail.com
yepmail.net your-mail.com
""")

PROVIDERS = (
    ProviderRule(
        "Gmail",
        ("gmail.com", "googlemail.com"),
        canonical="gmail.com",
        drop=".",
        source="https://support.google.com/mail/answer/7436150 (dots don't matter), answer/22370 (+tag)",
    ),
    ProviderRule(
        "Microsoft",
        _MICROSOFT,
        source="https://learn.microsoft.com/exchange/recipients-in-exchange-online/plus-addressing-in-exchange-online "
        "(+tag; dots matter, and so does the domain); domains as validator.js lists them, and more of Microsoft's",
    ),
    ProviderRule(
        "Yahoo",
        (*_YAHOO, "rocketmail.com"),
        cut_at="+-",
        source="rule and domains as MaxMind's minFraud clients normalize them (yahoo.co.jp is another company's)",
    ),
    ProviderRule(
        "iCloud",
        ("icloud.com", "me.com", "mac.com"),
        canonical="icloud.com",
        source="https://support.apple.com/118230 (one account, three domains)",
    ),
    ProviderRule(
        "Proton",
        ("protonmail.com", "proton.me", "protonmail.ch", "pm.me"),
        canonical="protonmail.com",
        drop=".-_",
        source="https://proton.me/support/addresses-and-aliases and /change-username (. - _ make no difference)",
    ),
    ProviderRule(
        "Yandex",
        ("yandex.ru", "yandex.com", "yandex.by", "yandex.kz", "yandex.ua", "ya.ru"),
        canonical="yandex.ru",
        swap=("-", "."),
        source="domains: validator.js; - and . alike: go-email-normalizer (no page of Yandex's own was seen)",
    ),
    ProviderRule(
        "Fastmail",
        _FASTMAIL,
        subdomain_names_mailbox=True,
        source="https://www.fastmail.help/hc/en-us/articles/360060591053 (plus and sub-domain addressing)",
    ),
)
"""One rule a provider. What no rule names is cut at ``+`` and otherwise left alone."""

RELAYS = frozenset(
    _words("""
8alias.com 8shield.net addy.io addymail.com aleeas.com anonaddy.com anonaddy.me dralias.com duck.com mozmail.com
passfwd.com passinbox.com passmail.com passmail.net privaterelay.appleid.com relay.firefox.com silomails.com
simplelogin.co simplelogin.com simplelogin.fr slmail.me slmails.com
""")
)
"""Domains that forward to a mailbox their owner keeps to themselves: people, not throw-away addresses.

Apple Hide My Email, Firefox Relay, DuckDuckGo, SimpleLogin, Proton Pass and addy.io, each as its provider documents it.
"""

FREE_MAIL = frozenset(
    _words("""
126.com 139.com 163.com 189.cn abv.bg aim.com alice.it aliyun.com aol.co.uk aol.com aol.de aol.fr arcor.de
att.net au.com azet.sk bbox.fr bellsouth.net bigpond.com bigpond.net.au bk.ru bluewin.ch blueyonder.co.uk
bol.com.br btinternet.com centrum.cz charter.net citromail.hu comcast.net cox.net daum.net disroot.org
docomo.ne.jp earthlink.net email.com email.cz ezweb.ne.jp foxmail.com free.fr freemail.hu freenet.de
frontier.com gazeta.pl globo.com gmx.at gmx.ch gmx.co.uk gmx.com gmx.de gmx.fr gmx.net gmx.us hanmail.net
hey.com hispeed.ch home.nl hushmail.com i.softbank.jp i.ua ig.com.br inbox.lv inbox.ru interia.pl internet.ru
juno.com kakao.com keemail.me kpnmail.nl laposte.net libero.it list.ru mail.bg mail.com mail.ru mailbox.org
mailfence.com nate.com naver.com neuf.fr nifty.com ntlworld.com o2.pl onet.pl online.no optonline.net
optusnet.com.au orange.fr planet.nl posteo.de posteo.net qq.com rambler.ru rediffmail.com riseup.net rogers.com
runbox.com sbcglobal.net seznam.cz sfr.fr shaw.ca sina.cn sina.com sky.com skynet.be softbank.ne.jp sohu.com
startmail.com sympatico.ca t-online.de talktalk.net telenet.be telia.com telus.net terra.com.br tin.it
tiscali.it tuta.com tuta.io tutamail.com tutanota.com tutanota.de ukr.net uol.com.br verizon.net videotron.ca
virgilio.it virginmedia.com walla.co.il walla.com wanadoo.fr web.de wp.pl xtra.co.nz yahoo.co.jp yeah.net
ziggo.nl zoho.com zohomail.com zohomail.eu
""")
)
"""Domains, beyond those in the rules, where strangers share a domain: free and internet providers' mail."""
